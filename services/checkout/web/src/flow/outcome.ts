import type { PaymentStatus } from '../bootstrap.ts';
import { findBank } from '../gateways/find-bank.ts';
import type { Reason } from '../net/next-step.ts';
import type { Context } from './context.ts';
import { findDecline } from './declines.ts';
import { leaveReservation } from './notices.ts';
import { refuseReservation, showProblem } from './problems.ts';

/** How often the status of an unknown payment is read, ms; and after how long the page says that it takes long. */
const ASK_MS = 1_000;
const ASK_LATER_MS = 3_000;
const LONG_MS = 12_000;
/** After a reload the window in which the bank asked is gone, so the payer is offered another try sooner. */
export const RESUMED_LONG_MS = 2_000;

/**
 * Reads the status of a payment until it is final, and shows it. The payer may stop waiting and try again; this
 * loop then ends without showing anything. `slowMs`: after how long the page offers another try.
 */
export async function settlePayment(
  context: Context,
  intentId: string,
  bankSaid: 'yes' | 'nothing' = 'nothing',
  slowMs = LONG_MS,
): Promise<void> {
  const { model, readPayment, signal } = context;
  const begun = model.begun.value?.key;
  const isMine = (): boolean => !signal.aborted && model.begun.value?.key === begun && isWaiting(context);
  model.isSlow.value = false;
  for (const since = Date.now(); isMine();) {
    const answer = await readPayment(intentId);
    if (!isMine()) return;
    model.waiting.value =
      answer.kind === 'ok' ? null : { because: 'offline', until: context.clock.now() + ASK_LATER_MS };
    const waited = Date.now() - since;
    const isLong = waited > LONG_MS;
    if (
      answer.kind === 'ok' &&
      (isLong ? answer.body.status !== 'pending' : isLastWord(context, answer.body, bankSaid))
    )
      return show(context, answer.body);
    if (answer.kind === 'ok' && waited > slowMs) {
      model.isSlow.value = true;
      model.step.value = 'checking';
    }
    await context.pause(isLong ? ASK_LATER_MS : ASK_MS);
  }
}

/**
 * Returns false for a status that must not be shown yet. After the bank has accepted a hold, a declined card
 * belongs to the card before; a refused charge is this payment's, and is shown together with the end of the group.
 */
function isLastWord(
  { model }: Context,
  { status, failure_code: code }: PaymentStatus,
  bankSaid: 'yes' | 'nothing',
): boolean {
  if (status === 'capture_failed') return !model.awaitsPayers.value;
  const isRefusedCard = code === 'card_declined' || code === 'authentication_required';
  return status !== 'pending' && !(bankSaid === 'yes' && status === 'failed' && isRefusedCard);
}

const isWaiting = ({ model: { step } }: Context): boolean =>
  step.value === 'paying' || step.value === 'checking';

/** Shows how a payment ended. */
export function show(context: Context, payment: PaymentStatus): void {
  switch (payment.status) {
    case 'held':
    case 'captured':
    case 'capture_failed':
      return keep(context, payment);
    case 'failed':
    case 'released':
      return showFailure(context, payment);
    case 'pending':
      context.model.step.value = 'checking';
      return void settlePayment(context, payment.payment_intent_id);
  }
}

/** Shows a payment that was held; from here on its outcome is shown with the group's. */
function keep(context: Context, payment: PaymentStatus): void {
  const { model, host, t } = context;
  const { payment_intent_id: intentId, slot_ids: slotIds } = payment;
  const isNew = !model.made.value.some((made) => made.intentId === intentId);
  const tip = model.begun.value?.request.tip;
  leaveReservation(context);
  model.selected.value = [];
  model.notice.value = null;
  model.step.value = 'done';
  if (!isNew) return;
  model.isMeantAgain.value = false;
  // A further payment has a consent of its own (Q97).
  model.showsName.value = false;
  model.made.value = [...model.made.value, { intentId, slotIds, tip }];
  if (payment.status === 'capture_failed') host.onError({ code: 'captureFailed', message: t('failedTitle') });
  else void notifyHost(context);
}

async function notifyHost({ api, host, pause }: Context): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const answer = await api.read();
    if (answer.kind === 'ok') return host.onComplete(answer.body);
    await pause(ASK_MS);
  }
}

const reasons: Readonly<Record<string, Reason>> = {
  card_declined: 'declined',
  authentication_required: 'authenticationFailed',
  slot_no_longer_available: 'slotTaken',
  no_payable_slots: 'slotTaken',
  gateway_unavailable: 'gatewayAway',
  cancelled_by_payer: 'bankLeft',
};

/** Shows a payment that failed or was released: the same shares, or equal ones, are offered again. */
function showFailure(context: Context, payment: PaymentStatus): void {
  const { model } = context;
  if (model.selected.value.length === 0) model.selected.value = payment.slot_ids;
  const other: Reason = findBank(model.bootstrap.gateway) === undefined ? 'declined' : 'bankLeft';
  const code = payment.failure_code ?? '';
  const reason = payment.status === 'released' && code === '' ? 'bankLeft' : (reasons[code] ?? other);
  const told = reason === 'declined' ? findDecline(payment.decline_reason) : reason;
  // Another card can be entered only while the card form is on the page.
  const canRetry = context.cardForm !== undefined && reason !== 'slotTaken';
  if (canRetry) refuseReservation(context);
  showProblem(context, told, canRetry ? 'card' : 'choose');
}
