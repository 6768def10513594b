import type { Card, Payment } from '@gp/gateway';
import type { ActionView, PaymentView } from '../domain/truth.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns our ids, so that callbacks and exports name the payment by them. */
export function metadataOf(payment: Payment): Record<string, string> {
  return {
    payment_intent_id: payment.intentId,
    group_payment_id: payment.groupId,
    attempt_id: payment.attemptId,
    ...(payment.mode === 'test' && payment.sandboxFault !== null && { sandbox_fault: payment.sandboxFault }),
  };
}

/** Returns the one body with a card in it, still encrypted. It is built for one request and stored nowhere. */
export function authorisationOf(payment: Payment, card: Card, channel: string): object {
  return {
    source: {
      type: 'card',
      number: card.encrypted_card_number,
      expiry_month: card.expiration_month,
      expiry_year: card.expiration_year,
      name: card.cardholder_name,
      cvv: card.encrypted_security_code,
    },
    amount: Number(payment.amountMinor),
    currency: payment.currency.code,
    capture: false,
    payment_type: 'Regular',
    authorization_type: 'Final',
    reference: payment.attemptId,
    processing_channel_id: channel,
    metadata: metadataOf(payment),
  };
}

/** `reference` identifies the try, so that its result can be distinguished from that of another one. */
export function stepOf(payment: Payment, idempotencyKey: string): object {
  return { amount: Number(payment.amountMinor), ...voidOf(payment, idempotencyKey) };
}

export function voidOf(payment: Payment, idempotencyKey: string): object {
  return { reference: idempotencyKey, metadata: metadataOf({ ...payment, sandboxFault: null }) };
}

/** Parses a payment in a response; throws when a required field is missing. */
export function paymentViewOf(body: Json): PaymentView {
  const balances = objectOf(body['balances']);
  return {
    id: textOf(body['id']),
    status: textOf(body['status']),
    amount: amountOf(body['amount']),
    authorised: amountOf(balances['total_authorized'] ?? 0),
    captured: amountOf(balances['total_captured'] ?? 0),
    refunded: amountOf(balances['total_refunded'] ?? 0),
    currency: textOf(body['currency']),
    responseCode: typeof body['response_code'] === 'string' ? body['response_code'] : null,
    hasRedirect: hasRedirect(body),
    expiresOn: typeof body['expires_on'] === 'string' ? new Date(body['expires_on']) : null,
  };
}

export const hasRedirect = (body: Json): boolean => 'redirect' in objectOf(body['_links']);

export function actionViewOf(action: unknown): ActionView {
  const { type, reference, approved, amount } = objectOf(action);
  return {
    type: textOf(type),
    reference: typeof reference === 'string' ? reference : null,
    isApproved: approved === true,
    amount: amountOf(amount),
  };
}

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new SyntaxError('the answer lacks a text');
  return value;
}

export function amountOf(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new SyntaxError('the answer lacks an amount');
  return BigInt(value);
}
