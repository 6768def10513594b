import type { HttpRequest } from '@gp/http';
import {
  type Answer,
  type Conduct,
  type BooksTransaction,
  finish,
  type Form,
  LATER_MS,
  mayBegin,
  type Reply,
  type Stage,
  readTextField,
} from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { buildEvents } from './callbacks.ts';
import { badRequest, REFUSED_BY_FAULT, refusalAnswer } from './errors.ts';
import { callAbout, findIntent, lockIntent } from './find.ts';
import { toUnixSeconds, type PaymentA } from './payment.ts';
import { allowOnly, readIdempotentCall, wantsCharge } from './request.ts';
import { buildPaymentIntent } from './wire.ts';

const REASONS: readonly string[] = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'];

/** `POST /payment_intents/{id}/cancel`: ends the intent and releases what it holds. */
export async function cancel(stage: Stage, caller: Caller, request: HttpRequest, form: Form): Promise<Reply> {
  const found = await findIntent(stage, caller, request.params['id'] ?? '', undefined);
  allowOnly(form, 'cancellation_reason', 'expand');
  const reason = readTextField(form, 'cancellation_reason') ?? null;
  if (reason !== null && !REASONS.includes(reason))
    throw badRequest('Invalid cancellation_reason.', 'cancellation_reason');
  const call = callAbout(found, 'void', request, readIdempotentCall(request, caller.scope));
  return stage.playCall(call, async (tx, conduct) => {
    const payment = await lockIntent(tx, found.pspReference);
    return voidNow(tx, payment, reason, conduct, wantsCharge(form));
  });
}

/** Releases the hold of a locked payment. With `failsLater` the release is only accepted, and fails later. */
export async function voidNow(
  tx: BooksTransaction,
  payment: PaymentA,
  cancellationReason: string | null,
  conduct: Conduct,
  expandCharge = false,
): Promise<Answer> {
  const refusal = mayBegin(payment, 'void', payment.authorisedMinor, tx.now);
  if (refusal) return refusalAnswer(payment, 'cancel', refusal);
  if (conduct.declines) return REFUSED_BY_FAULT.void(payment);
  if (conduct.failsLater) return acceptInVain(tx, payment);
  const decision = finish(payment, 'void', payment.authorisedMinor, tx.now);
  if (!decision.ok) return refusalAnswer(payment, 'cancel', decision.refusal);
  const details = {
    ...payment.details,
    cancellationReason,
    canceledAt: toUnixSeconds(tx.now),
    challenge: null,
  };
  const voided: PaymentA = { ...decision.payment, details };
  await tx.save(voided);
  // Inside the gateway, releasing a hold is a refund and emits its event: the known trap of this event.
  const types = ['payment_intent.canceled', ...(payment.status === 'authorised' ? ['charge.refunded'] : [])];
  await tx.emit(voided, buildEvents(voided, types, tx.now), conduct);
  const body = buildPaymentIntent(voided, expandCharge) as unknown as Record<string, unknown>;
  return {
    status: 200,
    body: conduct.wrongAmount ? { ...body, amount: Number(payment.amountMinor) - 1 } : body,
    outcome: 'ok',
  };
}

async function acceptInVain(tx: BooksTransaction, payment: PaymentA): Promise<Answer> {
  const waiting: PaymentA = { ...payment, pendingStep: 'void' };
  await tx.save(waiting);
  const { gateway, pspReference } = payment;
  const dueAt = new Date(tx.now.getTime() + LATER_MS);
  await tx.schedule({
    gateway,
    pspReference,
    kind: 'fail',
    step: 'void',
    actionId: null,
    callbacks: 'plain',
    dueAt,
  });
  return { status: 200, body: buildPaymentIntent(waiting), outcome: 'accepted' };
}
