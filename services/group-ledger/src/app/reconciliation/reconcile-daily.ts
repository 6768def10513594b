import { changeTimers, type GatewayConnection, type TimerFired, type TimerInstruction } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { isPspCode } from '@gp/gateway-registry';
import { claimInbox, insertOutbox, type OutboxMessage } from '@gp/outbox';
import { uuidv7 } from 'uuidv7';
import type { LedgerParts } from '../change/change-group.ts';
import { beginReconciliation } from './reconciliations.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
export const RECONCILE = 'reconcile';
/** The inbox name under which a day's timer begins one comparison, however often it comes. */
const CONSUMER = 'ledger-reconcile-timers';

type Account = Pick<GatewayConnection, 'merchant_id' | 'mode' | 'psp_code'>;

/**
 * The timer that has an account compared a day after an instant (epoch ms), which is now for one that has just been
 * connected. An older instant never moves the timer back.
 */
export function dailyReconciliation(account: Account, fromMs = Date.now()): OutboxMessage {
  const { merchant_id, mode, psp_code } = account;
  const instruction: TimerInstruction = {
    merchant_id,
    mode,
    owner: 'ledger',
    key: `${RECONCILE}:${mode}:${psp_code}:${merchant_id}`,
    revision: fromMs,
    timer: { kind: RECONCILE, due_at: new Date(fromMs + DAY_MS).toISOString(), data: { psp_code } },
  };
  return {
    id: uuidv7(),
    subject: changeTimers.subject,
    groupKey: instruction.key,
    mode,
    payload: { instructions: [instruction] },
  };
}

/** Begins the day's comparison of an account and sets the timer of the next one. */
export function reconcileDaily({
  db,
  wakeRelay,
  wakeReconciliation,
}: Pick<LedgerParts, 'db' | 'wakeRelay' | 'wakeReconciliation'>): (
  timer: TimerFired,
  messageId: string,
) => Promise<void> {
  return async ({ merchant_id, mode, due_at, data }, messageId) => {
    const psp_code = data['psp_code'];
    if (typeof psp_code !== 'string' || !isPspCode(psp_code))
      throw new AppError('validation_error', { message: 'not an account of ours' });
    await db.transaction(async (tx) => {
      if (!(await claimInbox(tx, CONSUMER, messageId))) return;
      const scope = { merchantId: merchant_id, mode, pspCode: psp_code };
      await beginReconciliation(tx, scope, { requestedBy: 'scheduler', onlyDue: true });
      await insertOutbox(tx, [dailyReconciliation({ merchant_id, mode, psp_code }, limitBacklog(due_at))]);
    });
    wakeRelay();
    wakeReconciliation();
  };
}

/**
 * The next day counts from the due time, which a test clock may have put far ahead; missed days are made
 * up for by one comparison, not by one a day.
 */
function limitBacklog(dueAt: string): number {
  return Math.max(Date.parse(dueAt), Date.now() - DAY_MS);
}
