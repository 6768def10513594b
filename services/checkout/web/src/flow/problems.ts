import type { Notice, Step } from '../state/model.ts';
import type { Context } from './context.ts';
import { isExplained, reasonText } from './declines.ts';
import { leaveReservation, settle } from './notices.ts';

type Reason = Extract<Notice, { kind: 'reason' }>['reason'];

/** Shows the payer why the payment stopped, reports a failed try to the host, and goes to the step that helps. */
export function showProblem(context: Context, reason: Reason, step: Extract<Step, 'choose' | 'card'>): void {
  const { model, host, t } = context;
  if (step === 'choose') leaveReservation(context);
  if (reason === 'slotTaken') settle(context);
  if (model.notice.value?.kind !== 'lost') model.notice.value = { kind: 'reason', reason };
  model.step.value = step;
  model.refusals.value += 1;
  if (reason !== 'chooseFirst' && reason !== 'cardIncomplete')
    host.onError({ code: isExplained(reason) ? 'declined' : reason, message: reasonText(t, reason) });
}

/** Ends the reservation of a declined card: the next try is a new request for the same shares. */
export function refuseReservation({ model }: Context): void {
  model.begun.value = null;
  model.reservation.value = model.reservation.value === 'seen' ? 'freeing' : 'refused';
}
