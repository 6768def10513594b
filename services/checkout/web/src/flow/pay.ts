import type { CardOutcome, Submit } from '../gateways/card-form.ts';
import { findBankForm } from '../gateways/load.ts';
import type { BankForm } from '../host.ts';
import { nextStep, type Reason } from '../net/next-step.ts';
import type { Context } from './context.ts';
import { findDecline } from './declines.ts';
import { settlePayment } from './outcome.ts';
import { goBackToChoice } from './notices.ts';
import { refuseReservation, showProblem } from './problems.ts';
import { isOver } from '../state/model.ts';
import { reserve } from './reserve.ts';

/** Handles the first button: takes the shares, then shows the card form or leaves for the bank. */
export async function begin(context: Context): Promise<void> {
  const { model } = context;
  if (model.chosen.value.length === 0) return showProblem(context, 'chooseFirst', 'choose');
  if (!ADDRESS.test(model.email.value.trim())) return askForAddress(context);
  if (model.made.value.length > 0 && !model.isMeantAgain.value) {
    model.asksAgain.value = true;
    return;
  }
  model.step.value = 'reserving';
  const started = await reserve(context);
  if (!started) return;
  await proceed(context);
}

/** The server says what is an address; this one finds what was forgotten or is none. */
const ADDRESS = /^[^\s@]+@[^\s@,]+$/;

/** Shows the fault beside the field. Nothing was sent, so the host is told of no failure. */
function askForAddress({ model }: Context): void {
  model.notice.value = { kind: 'reason', reason: 'badEmail' };
  model.refusals.value += 1;
}

/** Continues with a payment that the gateway has prepared. */
export async function proceed(context: Context): Promise<void> {
  const { model, reopen } = context;
  const started = model.started.value;
  if (!started) return;
  const { gateway } = model.bootstrap;
  if (gateway?.psp_code !== started.psp_code) {
    // The merchant has just changed gateways: this page may not load the new one's script. The key is kept.
    if (reopen) return reopen(started.psp_code);
    return showProblem(context, 'sessionGone', 'choose');
  }
  const form = findBankForm(started);
  if (form) return leaveForBank(context, form, started.payment_intent_id);
  model.step.value = 'card';
}

async function leaveForBank(context: Context, form: BankForm, paymentIntentId: string): Promise<void> {
  const { model, host } = context;
  markSubmitted(context);
  model.step.value = 'leaving';
  await host.navigateTop(form, { paymentIntentId }).catch(() => showProblem(context, 'unexpected', 'choose'));
}

/** From here on the response may get lost: this mark survives a reload, after which the status is read first. */
function markSubmitted({ model }: Context): void {
  if (model.begun.value) model.begun.value = { ...model.begun.value, isSubmitted: true };
}

/** Removes the mark, because nothing was sent. */
function unmarkSubmitted({ model }: Context): void {
  if (!model.begun.value) return;
  const { isSubmitted: _nothing, ...begun } = model.begun.value;
  model.begun.value = begun;
}

/**
 * Sends the card, or by another `submit` what the payer agreed to outside of its fields; once: a second call meanwhile
 * does nothing. Shares that are no longer reserved are taken again first.
 */
export async function pay(
  context: Context,
  holder: string,
  submit: Submit | undefined = context.cardForm?.submit,
): Promise<void> {
  const { model } = context;
  if (model.step.value !== 'card') return;
  // The button was pressed before the fields were ready.
  if (!submit) return showProblem(context, 'cardIncomplete', 'card');
  model.step.value = 'paying';
  model.notice.value = null;
  const isReserved = !isOver(model.reservation.value) && (model.reservedMs.value ?? 1) > 0;
  if (!isReserved) model.reservation.value = 'gone';
  const started = isReserved ? model.started.value : await reserve(context);
  if (!started) return;
  if (started.psp_code !== model.bootstrap.gateway?.psp_code) return proceed(context);
  markSubmitted(context);
  await follow(context, await submit(started, holder), started.payment_intent_id);
}

async function follow(context: Context, outcome: CardOutcome, intentId: string): Promise<void> {
  const { model } = context;
  if (context.signal.aborted) return;
  switch (outcome.kind) {
    case 'unsent':
      unmarkSubmitted(context);
      return showProblem(context, outcome.reason, 'card');
    case 'refused':
      return refuse(context, outcome.reason === 'declined' ? findDecline(outcome.why) : outcome.reason);
    case 'challenged':
      model.step.value = 'leaving';
      // A payer who comes back before the bank has an answer goes on there.
      if (model.begun.value) model.begun.value = { ...model.begun.value, bankUrl: outcome.url };
      // Also out of the widget's frame: the bank's page wants the whole window.
      return void open(outcome.url, '_top');
    case 'held':
      return settlePayment(context, intentId, 'yes');
    case 'unknown':
      model.step.value = 'checking';
      return settlePayment(context, intentId);
    case 'failure':
      return followFailure(context, outcome, intentId);
  }
}

async function followFailure(
  context: Context,
  { failure }: Extract<CardOutcome, { kind: 'failure' }>,
  intentId: string,
): Promise<void> {
  const step = nextStep(failure, 1);
  switch (step.do) {
    case 'try_again':
      return refuse(context, step.reason === 'declined' ? await explain(context, intentId) : step.reason);
    case 'choose':
      return showProblem(context, step.reason, 'choose');
    case 'look':
      return goBackToChoice(context);
    case 'ask':
    case 'repeat':
      context.model.step.value = 'checking';
      return settlePayment(context, intentId);
  }
}

/** The API names a decline only; the status of the payment says why, where a payer may be told. */
async function explain({ readPayment }: Context, intentId: string): Promise<Reason> {
  const answer = await readPayment(intentId);
  return findDecline(answer.kind === 'ok' ? answer.body.decline_reason : null);
}

/** A definite decline frees the shares (B8): they stay selected, and the next try takes them again. */
function refuse(context: Context, reason: Reason): void {
  refuseReservation(context);
  showProblem(context, reason, 'card');
}
