import type { Card, Payment } from '@gp/gateway';
import type { ActionView, PaymentView } from '../domain/truth.ts';

type Json = Readonly<Record<string, unknown>>;

/** Our mark of a payment whose payer can be sent to the bank: a look-up shows it, also to a process that did not make it. */
const AUTHENTICATED_BY = 'authenticated_by';

/** Returns our ids, so that callbacks and exports name the payment by them. */
export function buildMetadata(payment: Payment): Record<string, string> {
  return {
    payment_intent_id: payment.intentId,
    group_payment_id: payment.groupId,
    attempt_id: payment.attemptId,
    ...(payment.mode === 'test' && payment.sandboxFault !== null && { sandbox_fault: payment.sandboxFault }),
    ...(payment.canBeAuthenticated && { [AUTHENTICATED_BY]: 'payer' }),
  };
}

/**
 * Returns the one body with a card in it, still encrypted. It is built for one request and stored nowhere. `back`: where
 * the payer comes back to from the bank; without it no 3-D Secure is requested.
 */
export function buildAuthorisation(
  payment: Payment,
  card: Card,
  { channel, back }: { readonly channel: string; readonly back: string | undefined },
): object {
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
    // A card of an issuer without 3-D Secure is authorised without it.
    ...(back !== undefined && {
      '3ds': { enabled: true, attempt_n3d: true },
      success_url: back,
      failure_url: back,
    }),
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
    challengeUrl: findChallengeUrl(body),
    canBeAuthenticated: parseObject(body['metadata'])[AUTHENTICATED_BY] === 'payer',
    expiresOn: typeof body['expires_on'] === 'string' ? new Date(body['expires_on']) : null,
  };
}

export const hasRedirect = (body: Json): boolean => 'redirect' in parseObject(body['_links']);

/** Returns the bank's page where the payer is awaited; null when the response names none that a browser may open. */
export function findChallengeUrl(body: Json): string | null {
  const { href } = parseObject(parseObject(body['_links'])['redirect']);
  const url = typeof href === 'string' ? URL.parse(href) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

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
