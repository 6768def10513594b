import type { HttpRequest } from '@gp/http';
import {
  type Action,
  type Answer,
  type Conduct,
  type BooksTransaction,
  finish,
  type Form,
  LATER_MS,
  mayBegin,
  newId,
  type Reply,
  type Stage,
  readTextField,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { buildEvent, buildEvents } from './callbacks.ts';
import { badRequest, REFUSED_BY_FAULT, refusalAnswer } from './errors.ts';
import { callAbout, findIntent, lockIntent } from './find.ts';
import { parseChargeIntentId, type PaymentA } from './payment.ts';
import { allowOnly, readIdempotentCall, parseInteger, parseMetadata } from './request.ts';
import { buildRefund } from './wire.ts';

const PARAMETERS = [
  'payment_intent',
  'charge',
  'amount',
  'reason',
  'metadata',
  'refund_application_fee',
  'reverse_transfer',
  'expand',
];
const REASONS: readonly string[] = ['duplicate', 'fraudulent', 'requested_by_customer'];

export type RefundWish = {
  readonly amount: bigint | undefined;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** `POST /refunds`: refunds the whole rest or the requested part. */
export async function refund(stage: Stage, caller: Caller, request: HttpRequest, form: Form): Promise<Reply> {
  allowOnly(form, ...PARAMETERS);
  const found = await findIntent(stage, caller, parseIntentId(form), undefined);
  const amount = parseInteger(form, 'amount');
  const reason = readTextField(form, 'reason') ?? null;
  if (reason !== null && !REASONS.includes(reason)) throw badRequest('Invalid reason.', 'reason');
  const wish = {
    amount: amount === undefined ? undefined : BigInt(amount),
    reason,
    metadata: parseMetadata(form),
  };
  const call = callAbout(found, 'refund', request, readIdempotentCall(request, caller.scope));
  return stage.playCall(call, async (tx, conduct) =>
    refundNow(tx, await lockIntent(tx, found.pspReference), wish, conduct),
  );
}

function parseIntentId(form: Form): string {
  const intent = readTextField(form, 'payment_intent');
  const charge = readTextField(form, 'charge');
  const id = intent ?? (charge && parseChargeIntentId(charge));
  if (id === undefined || (intent !== undefined && charge !== undefined)) {
    throw badRequest(
      'One of the following params should be provided: charge or payment_intent.',
      'payment_intent',
      'parameter_missing',
    );
  }
  return id;
}

/** Refunds a locked payment; the card decides whether at once, later, or in the end not at all. */
export async function refundNow(
  tx: BooksTransaction,
  payment: PaymentA,
  wish: RefundWish,
  conduct: Conduct,
): Promise<Answer> {
  const asked = wish.amount ?? payment.capturedMinor - payment.refundedMinor;
  const amountMinor = conduct.wrongAmount ? computeWrongAmount(asked) : asked;
  const refusal = mayBegin(payment, 'refund', amountMinor, tx.now);
  if (refusal) return refusalAnswer(payment, 'refund', refusal);
  if (conduct.declines) return REFUSED_BY_FAULT.refund();
  const habit = payment.details.behaviour?.refund;
  const isLater = habit === 'later' && !conduct.failsLater;
  const action = newRefund(payment, amountMinor, wish, isLater, tx.now);
  const after = isLater ? pending(payment) : finish(payment, 'refund', amountMinor, tx.now);
  if (!after.ok) return refusalAnswer(payment, 'refund', after.refusal);
  await tx.save(after.payment);
  await tx.insertAction(action);
  await announce(tx, after.payment, action, conduct);
  const isInVain = !isLater && (conduct.failsLater || habit === 'fails_later');
  if (isLater) await later(tx, action, 'confirm');
  else if (isInVain) await later(tx, action, 'fail');
  const outcome = isLater || isInVain ? 'accepted' : 'ok';
  return { status: 200, body: buildRefund(after.payment, action), outcome };
}

const pending = (payment: PaymentA) => ({
  ok: true as const,
  payment: { ...payment, pendingStep: 'refund' as const },
});

function newRefund(p: PaymentA, amountMinor: bigint, wish: RefundWish, isLater: boolean, now: Date): Action {
  return {
    id: newId('re_'),
    pspReference: p.pspReference,
    type: 'refund',
    amountMinor,
    status: isLater ? 'pending' : 'succeeded',
    reference: null,
    metadata: wish.metadata,
    reason: wish.reason,
    createdAt: now,
  };
}

async function announce(
  tx: BooksTransaction,
  payment: PaymentA,
  action: Action,
  conduct: Conduct,
): Promise<void> {
  const created = buildEvent(payment, 'refund.created', buildRefund(payment, action), tx.now);
  const refunded = action.status === 'succeeded' ? buildEvents(payment, ['charge.refunded'], tx.now) : [];
  await tx.emit(payment, [created, ...refunded], conduct);
}

async function later(
  tx: BooksTransaction,
  { id, pspReference }: Action,
  kind: 'confirm' | 'fail',
): Promise<void> {
  const dueAt = new Date(tx.now.getTime() + LATER_MS);
  await tx.schedule({
    gateway: 'gateway_a',
    pspReference,
    kind,
    step: 'refund',
    actionId: id,
    callbacks: 'plain',
    dueAt,
  });
}
