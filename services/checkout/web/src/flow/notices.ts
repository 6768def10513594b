import type { Loss } from '../slots/selection.ts';
import { isFree, settleSelection } from '../slots/selection.ts';
import type { Context } from './context.ts';

/** Drops the reservation on this page: the next try is a new request. */
export function leaveReservation({ model }: Context): void {
  model.begun.value = null;
  model.started.value = null;
  model.reservation.value = 'none';
}

export function goBackToChoice(context: Context): void {
  leaveReservation(context);
  context.model.step.value = 'choose';
}

/**
 * Removes shares that were taken from the selection, and shows the payer what was lost and what replaces it. Shares that
 * closed with their group were taken by nobody: its outcome is shown.
 */
export function settle(context: Context): void {
  const { model } = context;
  const { selected, losses } = settleSelection(model.selected.value, model.slots.value, model.own.value);
  if (losses.length === 0 || !model.awaitsPayers.value) return;
  model.selected.value = selected;
  tellLosses(context, losses);
}

/** Tells a payer whose link is for a share that another payer has (Q72). */
export function tellTakenLink(context: Context): void {
  const { linked, slots, own, awaitsPayers } = context.model;
  const lost = slots.value.find((slot) => slot.id === linked && !isFree(slot) && !own.value.has(slot.id));
  if (lost && awaitsPayers.value) tellLosses(context, [{ lost, instead: undefined }]);
}

function tellLosses({ model, t }: Context, losses: readonly Loss[]): void {
  model.notice.value = { kind: 'lost', losses };
  model.spoken.value = losses.map((loss) => lossText(t, loss)).join(' ');
}

export function lossText(t: Context['t'], { lost, instead }: Loss): string {
  return instead
    ? t('lostSwapped', { lost: lost.number, instead: instead.number })
    : t('lostGone', { lost: lost.number });
}
