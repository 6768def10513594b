import type { PaymentStatus } from '../bootstrap.ts';
import type { Context } from './context.ts';
import { RESUMED_LONG_MS, settlePayment, show } from './outcome.ts';
import { goBackToChoice, settle, tellTakenLink } from './notices.ts';
import { proceed } from './pay.ts';
import { reserve } from './reserve.ts';
import { confirmHolds } from './own-shares.ts';

/**
 * Continues after a reload, a return or a lost tab. A request without a response is sent again under its key; a
 * payment that may have happened is checked first; a reservation is shown again with its card form.
 */
export async function resume(context: Context): Promise<void> {
  const { model } = context;
  const { returned } = model.bootstrap;
  const begun = model.begun.value;
  // The address stays that of an earlier return: a payment that was begun since then is the one to go on with.
  const isEarlier = begun !== null && begun.intentId !== returned?.payment_intent_id;
  if (returned && !isEarlier) return show(context, returned);
  if (!begun) {
    if (model.made.value.length > 0 && model.selected.value.length === 0) model.step.value = 'done';
    tellTakenLink(context);
    settle(context);
    return confirmHolds(context);
  }
  model.selected.value = begun.request.slot_ids;
  if (begun.intentId === undefined) return resumeReservation(context);
  await ask(context, begun.intentId, begun.isSubmitted === true);
}

/** Sends the same request under the same key: it resumes, whether or not the server received it before. */
async function resumeReservation(context: Context): Promise<void> {
  context.model.step.value = 'reserving';
  if (await reserve(context)) await proceed(context);
}

async function ask(context: Context, intentId: string, isSubmitted: boolean): Promise<void> {
  const { model, readPayment } = context;
  model.step.value = isSubmitted ? 'checking' : 'reserving';
  const asking = model.step.value;
  const answer = await readPayment(intentId);
  if (context.signal.aborted || model.step.value !== asking) return;
  const pending: PaymentStatus = {
    payment_intent_id: intentId,
    status: 'pending',
    failure_code: null,
    slot_ids: model.selected.value,
  };
  const payment = answer.kind === 'ok' ? answer.body : pending;
  const isOver = payment.status === 'failed' || payment.status === 'released';
  if (!isSubmitted && payment.status === 'pending') return resumeReservation(context);
  if (isSubmitted && payment.status === 'pending')
    return settlePayment(context, intentId, 'nothing', RESUMED_LONG_MS);
  if (isSubmitted || !isOver) return show(context, payment);
  // The reservation has lapsed meanwhile: only the selection is left of it.
  goBackToChoice(context);
  settle(context);
}

/**
 * Ends the wait for an unknown payment: leads back to the bank that asks, once, since its page may have ended; otherwise
 * sends the same request again, which cannot be held twice.
 */
export async function tryAgain(context: Context): Promise<void> {
  const { model } = context;
  model.isSlow.value = false;
  const begun = model.begun.value;
  if (begun?.bankUrl !== undefined) {
    model.begun.value = { ...begun, bankUrl: undefined };
    model.step.value = 'leaving';
    return void open(begun.bankUrl, '_top');
  }
  if (begun) model.selected.value = begun.request.slot_ids;
  await resumeReservation(context);
}
