import { createHmac, timingSafeEqual } from 'node:crypto';
import type { GatewayAccount, CallbackVerdict, FindSigners, RawCallback } from '@gp/gateway';
import { isEndedWithoutLoss } from '../domain/truth.ts';
import type { Credentials } from './credentials.ts';
import { toMinor } from './wire.ts';

/** In both directions: the vendor's own check accepts timestamps in the future. */
const TOLERANCE_SECONDS = 300;

/** Every event that can change what we know of a payment; progress and bookkeeping events are ignored. */
const RELEVANT = new Set([
  'payment_intent.amount_capturable_updated',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.succeeded',
  'payment_intent.requires_action',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
  'refund.updated',
  'refund.failed',
]);

type Event = {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly account?: unknown;
  readonly livemode?: unknown;
  readonly data?: { readonly object?: Readonly<Record<string, unknown>> };
};

/** Checks a callback of the gateway; see PaymentGateway.verifyCallback. */
export async function verifyCallback(
  { body, headers, receivedAt }: RawCallback,
  findSigners: FindSigners<Credentials>,
): Promise<CallbackVerdict<Credentials>> {
  const event = parsed(body);
  if (
    typeof event?.account !== 'string' ||
    typeof event.id !== 'string' ||
    typeof event.livemode !== 'boolean'
  )
    return { kind: 'forged', reason: 'names no account and mode' };
  const header = headers['stripe-signature'];
  const signature = readSignature(typeof header === 'string' ? header : '');
  const ageSeconds = Math.abs(receivedAt.getTime() / 1000 - signature.at);
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return { kind: 'forged', reason: 'too old, or from the future' };
  const [signer, ...others] = await findSigners(
    { account: event.account, mode: event.livemode ? 'live' : 'test' },
    (secret) => isSigned(body, signature, secret),
  );
  if (!signer) return { kind: 'forged', reason: 'wrong signature' };
  return decideCallback(event, event.id, [signer, ...others]);
}

function decideCallback(
  event: Event,
  eventId: string,
  signers: readonly [GatewayAccount<Credentials>, ...GatewayAccount<Credentials>[]],
): CallbackVerdict<Credentials> {
  const eventType = String(event.type);
  const object = event.data?.object ?? {};
  const isIntent = object['object'] === 'payment_intent';
  const pspReference = object[isIntent ? 'id' : 'payment_intent'];
  const metadata = object['metadata'] as Readonly<Record<string, unknown>> | null | undefined;
  const attemptId = metadata?.['attempt_id'];
  if (!RELEVANT.has(eventType) || typeof pspReference !== 'string') return { kind: 'irrelevant' };
  // The merchant's own payments on the same account do not carry our reference.
  if (isIntent && !isUuid(attemptId)) return { kind: 'irrelevant' };
  return {
    kind: 'verified',
    signers,
    eventId,
    eventType,
    pspReference,
    attemptId: isUuid(attemptId) ? attemptId : null,
    isDisputed: parseDispute(eventType, object['status']),
    ...(eventType === 'payment_intent.succeeded' && parseCapture(object)),
  };
}

/** Reads the captured amount of a payment; nothing where it is not as documented, so that the payment is read. */
function parseCapture({ amount_received: amount, currency }: Readonly<Record<string, unknown>>) {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || typeof currency !== 'string') return {};
  const amountMinor = toMinor(amount, currency);
  return { stated: { operation: 'capture', amountMinor, currency: currency.toUpperCase() } as const };
}

/** Returns whether there is a dispute; one that ended without a loss no longer counts. */
function parseDispute(eventType: string, status: unknown): boolean | null {
  return eventType.startsWith('charge.dispute.') ? !isEndedWithoutLoss(status) : null;
}

type Signature = { readonly at: number; readonly macs: readonly string[] };

/** Parses `t=<unix>,v1=<hex>[,v1=<hex>]`: several while a secret is being replaced. */
function readSignature(header: string): Signature {
  const parts = header.split(',').map((part) => part.split('='));
  const listValues = (name: string): string[] =>
    parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
  return { at: Number(listValues('t')[0] ?? NaN), macs: listValues('v1') };
}

function isSigned(body: Buffer, { at, macs }: Signature, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(`${at}.`).update(body).digest();
  return macs.some((mac) => {
    const given = Buffer.from(mac, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function parsed(body: Buffer): Event | undefined {
  try {
    const event: unknown = JSON.parse(body.toString('utf8'));
    return typeof event === 'object' && event !== null ? event : undefined;
  } catch {
    return undefined;
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
