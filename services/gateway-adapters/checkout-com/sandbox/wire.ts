import type { Action } from '@gp/psp-sandbox/kit';
import type { PaymentB } from './payment.ts';

const links = (id: string) => ({
  self: { href: `/payments/${id}` },
  actions: { href: `/payments/${id}/actions` },
});

export function toWireStatus({ status, authorisedMinor, capturedMinor, refundedMinor }: PaymentB): string {
  switch (status) {
    case 'created':
      return 'Pending';
    case 'declined':
      return 'Declined';
    case 'authorised':
      return 'Authorized';
    case 'captured':
      if (refundedMinor > 0n) return 'Partially Refunded';
      return capturedMinor < authorisedMinor ? 'Partially Captured' : 'Captured';
    case 'refunded':
      return 'Refunded';
    case 'voided':
      return 'Voided';
    case 'expired':
      return 'Expired';
  }
}

function buildSource({ details: { card } }: PaymentB) {
  return {
    type: 'card',
    id: `src_${card.brand}${card.last4}`,
    scheme: card.brand.charAt(0).toUpperCase() + card.brand.slice(1),
    last4: card.last4,
    card_type: 'CREDIT',
    avs_check: 'S',
    cvv_check: 'Y',
  };
}

/** Returns the amount of a payment as the processor states it: the held amount, once there is a hold. */
const statedAmount = (p: PaymentB): bigint => (p.authorisedMinor > 0n ? p.authorisedMinor : p.amountMinor);

/** Returns the response to a payment request: approved, declined, or waiting. */
export function buildPaymentAnswer(p: PaymentB): Record<string, unknown> {
  const { details, pspReference: id } = p;
  const common = { id, status: toWireStatus(p), reference: p.reference };
  if (details.response === null) {
    const redirect = details.challenge && { redirect: { href: details.challenge.url } };
    return {
      ...common,
      ...(details.challenge && { '3ds': { downgraded: false, enrolled: 'Y' } }),
      _links: { ...links(id), ...redirect },
    };
  }
  return {
    ...common,
    action_id: details.actionId,
    amount: Number(statedAmount(p)),
    currency: p.currency,
    approved: p.status !== 'declined',
    ...(details.authCode && { auth_code: details.authCode }),
    eci: '05',
    scheme_id: id.slice(-15),
    response_code: details.response.code,
    response_summary: details.response.summary,
    risk: { flagged: false },
    source: buildSource(p),
    processed_on: details.processedAt,
    ...(p.holdExpiresAt && { expires_on: p.holdExpiresAt.toISOString() }),
    _links: { ...links(id), ...openSteps(p) },
  };
}

function openSteps({ pspReference: id, status }: PaymentB): Record<string, { href: string }> {
  if (status !== 'authorised') return {};
  return { capture: { href: `/payments/${id}/captures` }, void: { href: `/payments/${id}/voids` } };
}

/** Returns the payment as a look-up shows it, with the balances that are left. */
export function buildPaymentBody(p: PaymentB): Record<string, unknown> {
  const { details, pspReference: id } = p;
  return {
    id,
    requested_on: p.createdAt.toISOString(),
    source: buildSource(p),
    amount: Number(statedAmount(p)),
    currency: p.currency,
    payment_type: details.paymentType,
    reference: p.reference,
    approved: p.authorisedMinor > 0n,
    status: toWireStatus(p),
    balances: buildBalances(p),
    '3ds': details.challenge ? { downgraded: false, enrolled: 'Y' } : undefined,
    risk: { flagged: false },
    metadata: { ...p.metadata },
    ...(details.response && {
      response_code: details.response.code,
      response_summary: details.response.summary,
    }),
    ...(details.processedAt && { processed_on: details.processedAt }),
    ...(p.holdExpiresAt && { expires_on: p.holdExpiresAt.toISOString() }),
    _links: {
      ...links(id),
      ...openSteps(p),
      ...(details.challenge && { redirect: { href: details.challenge.url } }),
    },
  };
}

function buildBalances(p: PaymentB): Record<string, number> {
  const open = p.status === 'authorised' ? p.authorisedMinor : 0n;
  const released = p.status === 'voided' || p.status === 'expired' ? p.authorisedMinor : 0n;
  return {
    total_authorized: Number(p.authorisedMinor),
    total_voided: Number(released),
    available_to_void: Number(open),
    total_captured: Number(p.capturedMinor),
    available_to_capture: Number(open),
    total_refunded: Number(p.refundedMinor),
    available_to_refund: Number(p.capturedMinor - p.refundedMinor),
  };
}

const ACTION_TYPES = {
  authorise: 'Authorization',
  capture: 'Capture',
  void: 'Void',
  refund: 'Refund',
} as const;

/** Returns a finished step as the processor lists it. */
export function buildActionBody(p: PaymentB, action: Action): Record<string, unknown> {
  const isGood = action.status === 'succeeded';
  const isCard = action.type === 'authorise' && p.details.response !== null;
  const failed = { code: '20005', summary: 'Declined - Do not honour' };
  const response = isCard ? p.details.response : isGood ? { code: '10000', summary: 'Approved' } : failed;
  return {
    id: action.id,
    type: ACTION_TYPES[action.type],
    processed_on: action.createdAt.toISOString(),
    amount: Number(action.amountMinor),
    approved: isGood,
    response_code: response?.code,
    response_summary: response?.summary,
    ...(action.reference && { reference: action.reference }),
    metadata: { ...action.metadata },
  };
}
