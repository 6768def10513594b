import type { Command } from '../command.ts';
import type { TimerData, TimerKind } from '../decision.ts';

/** The command a due timer stands for. Throws when a timer lacks the ids its kind needs. */
export function parseTimer(timer: TimerKind, data: TimerData): Command {
  const intentId = () => required(timer, data.intentId);
  const authorizationId = () => required(timer, data.attemptId);
  switch (timer) {
    case 'group_expiry':
      return { type: 'expire' };
    case 'reservation':
      return { type: 'reservationExpiryDue', intentId: intentId() };
    case 'hold_lapse':
      return { type: 'holdExpiryDue', intentId: intentId() };
    case 'capture_retry':
      return { type: 'captureRetryDue', intentId: intentId() };
    case 'refund_retry':
      return { type: 'refundRetryDue', intentId: intentId() };
    case 'void_retry':
      return { type: 'voidRetryDue', intentId: intentId(), authorizationId: authorizationId() };
    case 'authorisation_query':
      return {
        type: 'authorisationQueryDue',
        intentId: intentId(),
        authorizationId: authorizationId(),
        step: data.step,
      };
  }
}

function required(timer: TimerKind, id: string | null): string {
  if (id === null) throw new Error(`timer ${timer} does not name what it belongs to`);
  return id;
}
