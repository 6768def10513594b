import type { TimerFired } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { countDuplicates } from '@gp/outbox';
import { linkTo } from '@gp/telemetry';
import { parseTimer, type TimerData, type TimerKind } from '../../domain/index.ts';
import { changeGroup, toScope, type LedgerParts } from '../change/change-group.ts';

const KINDS: ReadonlySet<string> = new Set<TimerKind>([
  'group_expiry',
  'reservation',
  'authorisation_query',
  'hold_lapse',
  'capture_retry',
  'void_retry',
  'refund_retry',
]);

/** The inbox name under which a timer is processed once. */
const CONSUMER = 'ledger-timers';
countDuplicates(CONSUMER, 0);

/** Runs the command of a due timer. Every guard is checked again, so an obsolete timer changes nothing. */
export function fireTimer(parts: LedgerParts): (timer: TimerFired, messageId: string) => Promise<void> {
  return async (timer, messageId) => {
    const { group_id, ...data } = timer.data;
    if (typeof group_id !== 'string' || !isKind(timer.kind))
      throw new AppError('validation_error', { message: `no timer of ours: ${timer.kind}` });
    const command = parseTimer(timer.kind, data as TimerData);
    const { loaded } = await changeGroup(parts, {
      step: 'timer',
      actor: 'scheduler',
      groupId: group_id,
      scope: toScope(timer),
      message: { consumer: CONSUMER, id: messageId },
      command: () => command,
    });
    linkTo(loaded.row.traceparent);
  };
}

function isKind(kind: string): kind is TimerKind {
  return KINDS.has(kind);
}
