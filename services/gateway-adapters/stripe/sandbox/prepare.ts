import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '@gp/http';
import {
  type Form,
  newId,
  parseSandboxFault,
  type Reply,
  type Stage,
  UNTOUCHED,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { buildEvents } from './callbacks.ts';
import { dialect, forbidden, REFUSED_BY_FAULT } from './errors.ts';
import type { Details, PaymentA } from './payment.ts';
import { readIdempotentCall, readNewIntent, wantsCharge, type NewIntent } from './request.ts';
import { API_VERSION, buildPaymentIntent } from './wire.ts';

/** `POST /payment_intents`: creates the payment; nothing is held yet. */
export async function prepare(
  { books, playCall }: Stage,
  caller: Caller,
  request: HttpRequest,
  form: Form,
): Promise<Reply> {
  if (caller.isBrowser)
    throw forbidden('A publishable key cannot create a PaymentIntent.', 'secret_key_required');
  const wanted = readNewIntent(form, String(request.headers['stripe-version'] ?? API_VERSION));
  const { metadata } = wanted;
  const paymentIntentId = metadata['payment_intent_id'] ?? null;
  const rules = parseSandboxFault(metadata['sandbox_fault'] ?? '');
  if (rules.length > 0 && paymentIntentId !== null) {
    await books.setOwnFaults('gateway_a', { property: 'payment_intent_id', value: paymentIntentId }, rules);
  }
  const subject = { gateway: 'gateway_a', account: caller.scope, paymentIntentId, metadata } as const;
  const idempotent = readIdempotentCall(request, caller.scope);
  const call = { operation: 'prepare', subject, idempotent, dialect, signal: request.signal } as const;
  const reply = await playCall(call, async (tx, conduct) => {
    if (conduct.declines) return REFUSED_BY_FAULT.prepare();
    const payment = newPayment(caller.scope, wanted, tx.now);
    const stored = conduct.wrongAmount
      ? { ...payment, amountMinor: computeWrongAmount(payment.amountMinor) }
      : payment;
    await tx.insert(stored);
    await tx.emit(stored, buildEvents(stored, ['payment_intent.created'], tx.now), conduct);
    const body = buildPaymentIntent(stored, wantsCharge(form));
    return { status: 200, body, outcome: 'ok', pspReference: stored.pspReference };
  });
  // Without our own id the payment's faults can be distinguished only once it has a reference.
  const made = reply.kind === 'hang_up' ? undefined : reply.answer.pspReference;
  if (rules.length > 0 && paymentIntentId === null && made !== undefined) {
    await books.setOwnFaults('gateway_a', { property: 'psp_reference', value: made }, rules);
  }
  return reply;
}

function newPayment(scope: string, wanted: NewIntent, now: Date): PaymentA {
  const pspReference = newId('pi_');
  const details: Details = {
    ...wanted.details,
    clientSecret: `${pspReference}_secret_${randomBytes(16).toString('hex')}`,
    attempts: 0,
    chargedAt: null,
    card: null,
    behaviour: null,
    wasChallenged: false,
    challenge: null,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
  };
  return {
    gateway: 'gateway_a',
    pspReference,
    account: scope,
    paymentIntentId: wanted.metadata['payment_intent_id'] ?? null,
    reference: null,
    metadata: wanted.metadata,
    amountMinor: BigInt(wanted.amount),
    currency: wanted.currency,
    ...UNTOUCHED,
    details,
    createdAt: now,
  };
}
