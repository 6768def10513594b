import type Stripe from 'stripe';
import type { Action } from '@gp/psp-sandbox/kit';
import {
  buildChargeId,
  buildPaymentMethodId,
  toUnixSeconds,
  wasDisputed,
  type AttemptError,
  type PaymentA,
} from './payment.ts';

/** The version of the API whose shapes these are; the official SDK's types check them. */
export const API_VERSION = '2026-10-28.endive';

export function toWireStatus({ status, pendingStep, details }: PaymentA): Stripe.PaymentIntent.Status {
  if (pendingStep === 'authorise' || pendingStep === 'void') return 'processing';
  switch (status) {
    case 'created':
    case 'declined':
      return details.challenge ? 'requires_action' : 'requires_payment_method';
    case 'authorised':
      return 'requires_capture';
    case 'captured':
    case 'refunded':
      return 'succeeded';
    case 'voided':
    case 'expired':
      return 'canceled';
  }
}

const hasCharge = ({ details }: PaymentA): boolean => details.chargedAt !== null;

/** Returns the payment as its account sees it; `expandCharge` puts the whole charge in place of its id. */
export function buildPaymentIntent(p: PaymentA, expandCharge = false): Stripe.PaymentIntent {
  const { details } = p;
  const charge = expandCharge ? buildCharge(p) : buildChargeId(p);
  return {
    id: p.pspReference,
    object: 'payment_intent',
    allowed_payment_method_types: details.automaticMethods ? null : ['card'],
    amount: Number(p.amountMinor),
    amount_capturable: toWireStatus(p) === 'requires_capture' ? Number(p.authorisedMinor) : 0,
    amount_details: { tip: {} },
    amount_received: Number(p.capturedMinor),
    application: null,
    application_fee_amount: details.applicationFeeMinor,
    automatic_payment_methods: details.automaticMethods && {
      enabled: true,
      allow_redirects: details.automaticMethods.allowRedirects,
    },
    canceled_at: details.canceledAt,
    cancellation_reason: details.cancellationReason,
    capture_method: details.captureMethod,
    client_secret: details.clientSecret,
    confirmation_method: 'automatic',
    created: toUnixSeconds(p.createdAt),
    currency: p.currency,
    customer: null,
    customer_account: null,
    description: details.description,
    excluded_payment_method_types: null,
    last_payment_error: details.lastError && buildLastError(p, details.lastError),
    latest_charge: hasCharge(p) ? charge : null,
    livemode: false,
    managed_payments: null,
    metadata: { ...p.metadata },
    next_action: details.challenge && {
      type: 'redirect_to_url',
      redirect_to_url: { url: details.challenge.url, return_url: details.challenge.returnUrl },
    },
    on_behalf_of: null,
    payment_method: hasCharge(p) && details.lastError === null ? buildPaymentMethodId(p) : null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: 'automatic',
      },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: details.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: details.descriptorSuffix,
    status: toWireStatus(p),
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
}

function buildLastError(p: PaymentA, error: AttemptError): Stripe.PaymentIntent.LastPaymentError {
  return {
    type: error.type,
    code: error.code,
    ...(error.declineCode && { decline_code: error.declineCode }),
    ...(hasCharge(p) && { charge: buildChargeId(p) }),
    message: error.message,
  };
}

/** Returns the latest attempt as a charge: the card's result, and how long the hold lives. */
export function buildCharge(p: PaymentA): Stripe.Charge {
  const { details } = p;
  const isHeld = p.authorisedMinor > 0n;
  const isReleased = p.status === 'voided' || p.status === 'expired';
  const isCaptured = p.capturedMinor > 0n;
  const amount = isHeld ? p.authorisedMinor : p.amountMinor;
  return {
    id: buildChargeId(p),
    object: 'charge',
    amount: Number(amount),
    amount_captured: Number(p.capturedMinor),
    // A released hold counts as fully refunded.
    amount_refunded: Number(isReleased && isHeld ? amount : p.refundedMinor),
    application: null,
    application_fee: null,
    application_fee_amount: details.applicationFeeMinor,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: isCaptured,
    created: details.chargedAt ?? toUnixSeconds(p.createdAt),
    currency: p.currency,
    customer: null,
    description: details.description,
    disputed: wasDisputed(p),
    failure_balance_transaction: null,
    failure_code: details.lastError?.code ?? null,
    failure_message: details.lastError?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: { ...p.metadata },
    on_behalf_of: null,
    outcome: buildChargeOutcome(p),
    paid: toChargeStatus(p) === 'succeeded',
    payment_intent: p.pspReference,
    payment_method: buildPaymentMethodId(p),
    payment_method_details: buildCardDetails(p),
    receipt_email: details.receiptEmail,
    receipt_number: null,
    receipt_url: null,
    refunded: isReleased || p.status === 'refunded',
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: details.descriptorSuffix,
    status: toChargeStatus(p),
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}

function toChargeStatus({ pendingStep, details }: PaymentA): Stripe.Charge.Status {
  if (pendingStep === 'authorise') return 'pending';
  return details.lastError === null ? 'succeeded' : 'failed';
}

function buildChargeOutcome({ details }: PaymentA): Stripe.Charge.Outcome {
  const { lastError } = details;
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: lastError ? 'declined_by_network' : 'approved_by_network',
    reason: lastError ? (lastError.declineCode ?? lastError.code) : null,
    risk_level: 'normal',
    seller_message: lastError ? lastError.message : 'Payment complete.',
    type: lastError ? 'issuer_declined' : 'authorized',
  };
}

function buildCardDetails(p: PaymentA): Stripe.Charge.PaymentMethodDetails {
  const { card } = p.details;
  if (card === null) return { type: 'card' };
  return {
    type: 'card',
    card: {
      amount_authorized: p.authorisedMinor > 0n ? Number(p.authorisedMinor) : null,
      authorization_code: null,
      brand: card.brand,
      ...(p.holdExpiresAt && { capture_before: toUnixSeconds(p.holdExpiresAt) }),
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      electronic_commerce_indicator: null,
      // Not stored for any card, but the API requires a date.
      exp_month: 12,
      exp_year: 2049,
      funding: 'credit',
      installments: null,
      last4: card.last4,
      mandate: null,
      network: card.brand,
      network_transaction_id: null,
      regulated_status: null,
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}

const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export function buildRefund(p: PaymentA, action: Action): Stripe.Refund {
  const reason = REFUND_REASONS.find((known) => known === action.reason) ?? null;
  return {
    id: action.id,
    object: 'refund',
    amount: Number(action.amountMinor),
    balance_transaction: null,
    charge: buildChargeId(p),
    created: toUnixSeconds(action.createdAt),
    currency: p.currency,
    customer: null,
    customer_account: null,
    ...(action.status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
    metadata: { ...action.metadata },
    payment_intent: p.pspReference,
    payment_method: buildPaymentMethodId(p),
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: action.status,
    transfer_reversal: null,
  } satisfies Stripe.Refund;
}
