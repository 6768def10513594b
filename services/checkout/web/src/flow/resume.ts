import type { Context } from './context.ts';
import { show } from './outcome.ts';
import { settle } from './notices.ts';
import { proceed } from './pay.ts';
import { reserve } from './reserve.ts';

/**
 * Goes on where a reload, a way back or a lost tab left off. A request without an answer is sent again under its key; a
 * payment that may have happened is asked for before anything else; a reservation is shown again with its card form.
 */
export async function resume(context: Context): Promise<void> {
  const { model } = context;
  const { returned } = model.bootstrap;
  if (returned) return show(context, returned);
  const begun = model.begun.value;
  if (!begun) {
    if (model.made.value.length > 0 && model.selected.value.length === 0) model.step.value = 'done';
    settle(context);
    return;
  }
  if (begun.intentId !== undefined && begun.isSubmitted) return ask(context, begun.intentId);
  model.selected.value = begun.request.slot_ids;
  model.step.value = 'reserving';
  if (await reserve(context)) await proceed(context);
}

async function ask(context: Context, intentId: string): Promise<void> {
  const { model, readPayment } = context;
  model.step.value = 'checking';
  const answer = await readPayment(intentId);
  if (context.signal.aborted || model.step.value !== 'checking') return;
  const payment = answer.kind === 'ok' ? answer.body : undefined;
  show(
    context,
    payment ?? { payment_intent_id: intentId, status: 'pending', failure_code: null, slot_ids: [] },
  );
}

/** The payer does not want to wait for a payment in doubt: the same one again, which cannot be held twice. */
export async function tryAgain(context: Context): Promise<void> {
  const { model } = context;
  model.isSlow.value = false;
  const begun = model.begun.value;
  if (begun) model.selected.value = begun.request.slot_ids;
  model.step.value = 'reserving';
  if (await reserve(context)) await proceed(context);
}
