import { randomBytes } from 'node:crypto';
import type { HttpRequest } from '@gp/http';
import {
  type Answer,
  type CardFault,
  type Conduct,
  type BooksTransaction,
  newId,
  parseSandboxFault,
  readCard,
  type Reply,
  type Stage,
  UNTOUCHED,
} from '@gp/psp-sandbox/kit';
import { holdFunds, refuseCard } from './attempt.ts';
import { buildEvent } from './callbacks.ts';
import { dialect, errorAnswer } from './errors.ts';
import type { Details, PaymentB } from './payment.ts';
import { readIdempotentCall, readBody, readPaymentRequest, type PaymentRequest } from './request.ts';
import { buildPaymentAnswer } from './wire.ts';

/** `POST /payments`: one try with one card. A decline is a normal response, not an error. */
export async function requestPayment(stage: Stage, channel: string, request: HttpRequest): Promise<Reply> {
  const { card, ...wanted } = readPaymentRequest(readBody(request), channel);
  const read = readCard(card, stage.clock());
  await setOwnFaults(stage, wanted);
  const { reference, metadata } = wanted;
  const paymentIntentId = metadata['payment_intent_id'] ?? null;
  const subject = { gateway: 'gateway_b', account: channel, reference, paymentIntentId, metadata } as const;
  const idempotent = readIdempotentCall(request, channel);
  const call = { operation: 'authorise', subject, idempotent, dialect, signal: request.signal } as const;
  return stage.playCall(call, async (tx, conduct) => {
    if (!read.ok) return errorAnswer(422, [UNREADABLE[read.fault]], 'declined');
    const payment = newPayment(channel, wanted, read, tx.now);
    await tx.insert(payment);
    const { pspReference } = payment;
    return { ...(await attempt(stage, tx, payment, conduct)), pspReference };
  });
}

const UNREADABLE: Readonly<Record<CardFault, string>> = {
  number: 'card_number_invalid',
  expiry: 'card_expired',
  cvc: 'cvv_invalid',
};

async function setOwnFaults(
  { books }: Stage,
  { metadata, reference }: Omit<PaymentRequest, 'card'>,
): Promise<void> {
  const rules = parseSandboxFault(metadata['sandbox_fault'] ?? '');
  if (rules.length === 0) return;
  const intent = metadata['payment_intent_id'];
  if (intent !== undefined) {
    await books.setOwnFaults('gateway_b', { property: 'payment_intent_id', value: intent }, rules);
  } else if (reference !== null) {
    await books.setOwnFaults('gateway_b', { property: 'reference', value: reference }, rules);
  }
}

async function attempt(
  stage: Stage,
  tx: BooksTransaction,
  payment: PaymentB,
  conduct: Conduct,
): Promise<Answer> {
  const { behaviour } = payment.details;
  if (conduct.declines)
    return buildAuthoriseAnswer(await refuseCard(tx, payment, 'generic_decline', conduct));
  if (behaviour.isChallenged) return buildAuthoriseAnswer(await challenge(stage, tx, payment, conduct));
  if (behaviour.decline)
    return buildAuthoriseAnswer(await refuseCard(tx, payment, behaviour.decline, conduct));
  return buildAuthoriseAnswer(await holdFunds(tx, payment, conduct));
}

/** Requires 3-D Secure: the payment waits for the issuer's page. */
async function challenge(
  { publicUrl }: Stage,
  tx: BooksTransaction,
  payment: PaymentB,
  conduct: Conduct,
): Promise<PaymentB> {
  const token = randomBytes(16).toString('hex');
  const url = `${publicUrl}/gateway_b/3ds/${payment.pspReference}/${token}`;
  const asked = { token, url, behaviour: payment.details.behaviour, conduct };
  const waiting: PaymentB = { ...payment, details: { ...payment.details, challenge: asked } };
  await tx.save(waiting);
  await tx.emit(waiting, [buildEvent(waiting, 'payment_pending', tx.now)], conduct);
  return waiting;
}

function buildAuthoriseAnswer(payment: PaymentB): Answer {
  const isPending = payment.details.response === null;
  const outcome = payment.details.challenge
    ? 'requires_action'
    : isPending
      ? 'accepted'
      : payment.status === 'declined'
        ? 'declined'
        : 'ok';
  return { status: isPending ? 202 : 201, body: buildPaymentAnswer(payment), outcome };
}

function newPayment(
  channel: string,
  wanted: Omit<PaymentRequest, 'card'>,
  card: Extract<ReturnType<typeof readCard>, { ok: true }>,
  now: Date,
): PaymentB {
  const details: Details = {
    actionId: newId('act_'),
    card: card.face,
    behaviour: card.behaviour,
    paymentType: wanted.paymentType,
    captures: wanted.captures,
    response: null,
    authCode: null,
    processedAt: null,
    successUrl: wanted.successUrl,
    failureUrl: wanted.failureUrl,
    challenge: null,
  };
  return {
    gateway: 'gateway_b',
    pspReference: newId('pay_'),
    account: channel,
    paymentIntentId: wanted.metadata['payment_intent_id'] ?? null,
    reference: wanted.reference,
    metadata: wanted.metadata,
    amountMinor: wanted.amountMinor,
    currency: wanted.currency,
    ...UNTOUCHED,
    details,
    createdAt: now,
  };
}
