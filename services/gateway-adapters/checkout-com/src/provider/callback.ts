import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackVerdict, FindSigners, RawCallback } from '@gp/gateway';
import type { Credentials } from './credentials.ts';
import { parseObject } from './wire.ts';

/** Every event that can change what we know of a payment. */
const RELEVANT = new Set([
  'payment_approved',
  'payment_declined',
  'payment_authentication_failed',
  'payment_captured',
  'payment_capture_declined',
  'payment_voided',
  'payment_void_declined',
  'payment_refunded',
  'payment_refund_declined',
  'payment_expired',
  'payment_canceled',
]);

/**
 * Meaning of each event for a dispute; false ends one without a loss. An expired or an accepted dispute is a lost one,
 * and a resolved one concerns a payment that had been refunded.
 */
const DISPUTES: Readonly<Record<string, boolean>> = {
  dispute_received: true,
  dispute_evidence_required: true,
  dispute_expired: true,
  dispute_accepted: true,
  dispute_lost: true,
  dispute_arbitration_lost: true,
  dispute_won: false,
  dispute_arbitration_won: false,
  dispute_canceled: false,
  dispute_resolved: false,
};

/**
 * Checks a callback of the processor; see PaymentGateway.verifyCallback. Its signature carries no time, and the
 * processor sends an event again for days, so its age proves nothing: a replay has a known event id and only
 * causes a look-up.
 */
export async function verifyCallback(
  { body, headers }: RawCallback,
  findSigners: FindSigners<Credentials>,
): Promise<CallbackVerdict<Credentials>> {
  const event = parsed(body);
  const data = parseObject(event['data']);
  const channel = data['processing_channel_id'];
  const { id: eventId, type: eventType } = event;
  if (typeof channel !== 'string' || typeof eventId !== 'string' || typeof eventType !== 'string')
    return { kind: 'forged', reason: 'names no account' };
  const header = headers['cko-signature'];
  const given = Buffer.from(typeof header === 'string' ? header : '', 'hex');
  // The callback does not name the mode: each channel belongs to one.
  const [signer, ...others] = await findSigners({ account: channel, mode: null }, (secret) =>
    isSigned(body, given, secret),
  );
  if (!signer) return { kind: 'forged', reason: 'wrong signature' };
  const isDisputed = DISPUTES[eventType] ?? null;
  const pspReference = isDisputed === null ? data['id'] : data['payment_id'];
  const attemptId = parseObject(data['metadata'])['attempt_id'];
  const isOurs = isUuid(attemptId) || isDisputed !== null;
  const isRelevant = RELEVANT.has(eventType) || isDisputed !== null;
  if (!isRelevant || typeof pspReference !== 'string' || !isOurs) return { kind: 'irrelevant' };
  return {
    kind: 'verified',
    signers: [signer, ...others],
    eventId,
    eventType,
    pspReference,
    attemptId: isUuid(attemptId) ? attemptId : null,
    isDisputed,
    ...(eventType === 'payment_approved' && parseHold(data)),
  };
}

/** Reads the held amount of a payment; nothing where it is not as documented, so that the payment is read. */
function parseHold({ amount, currency }: Readonly<Record<string, unknown>>) {
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || typeof currency !== 'string') return {};
  return { stated: { operation: 'authorise', amountMinor: BigInt(amount), currency } as const };
}

function isSigned(body: Buffer, given: Buffer, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    return parseObject(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
