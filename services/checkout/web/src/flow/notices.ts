import type { Loss } from '../slots/selection.ts';
import { settleSelection } from '../slots/selection.ts';
import type { Notice, Step } from '../state/model.ts';
import type { Context } from './context.ts';

type Told = Extract<Notice, { kind: 'reason' }>['reason'];

/** Tells the payer why it does not go on, and the host that a try has failed; the page goes where the next step is. */
export function complain(context: Context, reason: Told, step: Extract<Step, 'choose' | 'card'>): void {
  const { model, host, t } = context;
  if (step === 'choose') leaveReservation(context);
  if (reason === 'slotTaken') settle(context);
  if (model.notice.value?.kind !== 'lost') model.notice.value = { kind: 'reason', reason };
  model.step.value = step;
  if (reason !== 'chooseFirst' && reason !== 'cardIncomplete')
    host.onError({ code: reason, message: t(reason) });
}

/** Nothing is reserved any more as far as this page is concerned: the next try is a new request. */
export function leaveReservation({ model }: Context): void {
  model.begun.value = null;
  model.started.value = null;
  model.reservation.value = 'none';
}

export function goBackToChoice(context: Context): void {
  leaveReservation(context);
  context.model.step.value = 'choose';
}

/** Holds the choice against what is free now, and tells the payer at once what he has lost and got instead. */
export function settle({ model, t }: Context): readonly Loss[] {
  const { selected, losses } = settleSelection(model.selected.value, model.slots.value, model.own.value);
  if (losses.length === 0) return losses;
  model.selected.value = selected;
  model.notice.value = { kind: 'lost', losses };
  model.spoken.value = losses.map((loss) => lossText(t, loss)).join(' ');
  return losses;
}

export function lossText(t: Context['t'], { lost, instead }: Loss): string {
  return instead
    ? t('lostSwapped', { lost: lost.number, instead: instead.number })
    : t('lostGone', { lost: lost.number });
}
