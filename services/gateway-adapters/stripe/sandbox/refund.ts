import type { HttpRequest } from '@gp/http';
import {
  type Action,
  type Answer,
  type Conduct,
  type Desk,
  finish,
  type Form,
  LATER_MS,
  mayBegin,
  newId,
  type Reply,
  type Stage,
  textOf,
  wrongAmountOf,
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
  const reason = textOf(form, 'reason') ?? null;
  if (reason !== null && !REASONS.includes(reason)) throw badRequest('Invalid reason.', 'reason');
  const wish = {
    amount: amount === undefined ? undefined : BigInt(amount),
    reason,
    metadata: parseMetadata(form),
  };
  const call = callAbout(found, 'refund', request, readIdempotentCall(request, caller.scope));
  return stage.playCall(call, async (desk, conduct) =>
    refundNow(desk, await lockIntent(desk, found.pspReference), wish, conduct),
  );
}

function parseIntentId(form: Form): string {
  const intent = textOf(form, 'payment_intent');
  const charge = textOf(form, 'charge');
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
  desk: Desk,
  payment: PaymentA,
  wish: RefundWish,
  conduct: Conduct,
): Promise<Answer> {
  const asked = wish.amount ?? payment.capturedMinor - payment.refundedMinor;
  const amountMinor = conduct.wrongAmount ? wrongAmountOf(asked) : asked;
  const refusal = mayBegin(payment, 'refund', amountMinor, desk.now);
  if (refusal) return refusalAnswer(payment, 'refund', refusal);
  if (conduct.declines) return REFUSED_BY_FAULT.refund();
  const habit = payment.details.behaviour?.refund;
  const isLater = habit === 'later' && !conduct.failsLater;
  const action = newRefund(payment, amountMinor, wish, isLater, desk.now);
  const after = isLater ? pending(payment) : finish(payment, 'refund', amountMinor, desk.now);
  if (!after.ok) return refusalAnswer(payment, 'refund', after.refusal);
  await desk.save(after.payment);
  await desk.insertAction(action);
  await announce(desk, after.payment, action, conduct);
  const isInVain = !isLater && (conduct.failsLater || habit === 'fails_later');
  if (isLater) await later(desk, action, 'confirm');
  else if (isInVain) await later(desk, action, 'fail');
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

async function announce(desk: Desk, payment: PaymentA, action: Action, conduct: Conduct): Promise<void> {
  const created = buildEvent(payment, 'refund.created', buildRefund(payment, action), desk.now);
  const refunded = action.status === 'succeeded' ? buildEvents(payment, ['charge.refunded'], desk.now) : [];
  await desk.emit(payment, [created, ...refunded], conduct);
}

async function later(desk: Desk, { id, pspReference }: Action, kind: 'confirm' | 'fail'): Promise<void> {
  const dueAt = new Date(desk.now.getTime() + LATER_MS);
  await desk.schedule({
    gateway: 'gateway_a',
    pspReference,
    kind,
    step: 'refund',
    actionId: id,
    callbacks: 'plain',
    dueAt,
  });
}
