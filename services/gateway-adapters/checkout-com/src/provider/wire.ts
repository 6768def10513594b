import type { Card, Payment } from '@gp/gateway';
import type { ActionView, PaymentView } from '../domain/truth.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns our ids, so that callbacks and exports name the payment by them. */
export function buildMetadata(payment: Payment): Record<string, string> {
  return {
    payment_intent_id: payment.intentId,
    group_payment_id: payment.groupId,
    attempt_id: payment.attemptId,
    ...(payment.mode === 'test' && payment.sandboxFault !== null && { sandbox_fault: payment.sandboxFault }),
  };
}

/** Returns the one body with a card in it, still encrypted. It is built for one request and stored nowhere. */
export function buildAuthorisation(payment: Payment, card: Card, channel: string): object {
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
    metadata: buildMetadata(payment),
  };
}

/** Returns a payment request that cannot become a payment: its card has no number. */
export function buildCredentialsCheck(channel: string): object {
  return { source: { type: 'card' }, amount: 100, currency: 'EUR', processing_channel_id: channel };
}

/** `reference` identifies the try, so that its result can be distinguished from that of another one. */
export function buildStep(payment: Payment, idempotencyKey: string): object {
  return { amount: Number(payment.amountMinor), ...buildVoid(payment, idempotencyKey) };
}

export function buildVoid(payment: Payment, idempotencyKey: string): object {
  return { reference: idempotencyKey, metadata: buildMetadata({ ...payment, sandboxFault: null }) };
}

/** Parses a payment in a response; throws when a required field is missing. */
export function parsePaymentView(body: Json): PaymentView {
  const balances = parseObject(body['balances']);
  return {
    id: parseText(body['id']),
    status: parseText(body['status']),
    amount: parseAmount(body['amount']),
    authorised: parseAmount(balances['total_authorized'] ?? 0),
    captured: parseAmount(balances['total_captured'] ?? 0),
    refunded: parseAmount(balances['total_refunded'] ?? 0),
    currency: parseText(body['currency']),
    responseCode: typeof body['response_code'] === 'string' ? body['response_code'] : null,
    hasRedirect: hasRedirect(body),
    expiresOn: typeof body['expires_on'] === 'string' ? new Date(body['expires_on']) : null,
  };
}

export const hasRedirect = (body: Json): boolean => 'redirect' in parseObject(body['_links']);

export function parseActionView(action: unknown): ActionView {
  const { type, reference, approved, amount } = parseObject(action);
  return {
    type: parseText(type),
    reference: typeof reference === 'string' ? reference : null,
    isApproved: approved === true,
    amount: parseAmount(amount),
  };
}

export const parseList = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(parseObject) : [];

export function parseObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

export function parseText(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new SyntaxError('the answer lacks a text');
  return value;
}

export function parseAmount(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new SyntaxError('the answer lacks an amount');
  return BigInt(value);
}
