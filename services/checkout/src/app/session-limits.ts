import { AppError, validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteEndedLimits, findSessionLimits } from '../db/sessions.ts';

type LimitedPayment = { readonly group_id: string; readonly customer_email: string };

/** The slots a payment may take; without the field, any slot. */
export type Within = { readonly within_slot_ids?: string[] };

/** Returns what a limited session lets a payment take; rejects with `validation_error` for another payer. */
export type Limits = (sessionId: string, payment: LimitedPayment) => Promise<Within>;

/** Applies the limits of its session to a payment. A session that is no longer stored has ended. */
export function sessionLimits(db: Db): Limits {
  return async (sessionId, { group_id, customer_email }) => {
    const limits = await findSessionLimits(db, sessionId, group_id);
    if (!limits) throw new AppError('unauthorized');
    const { customerEmail, slotIds } = limits;
    if (customerEmail !== null && customerEmail !== customer_email.trim().toLowerCase())
      throw validationError('customer_email', 'must be the address this session was opened for');
    return slotIds === null ? {} : { within_slot_ids: [...slotIds] };
  };
}

/** Deletes the limits of sessions that have ended, payers' addresses among them. */
export function reapSessionLimits(db: Db): Loop {
  return {
    name: 'reap-session-limits',
    idleMs: 60_000,
    runOnce: async () => ((await deleteEndedLimits(db)) > 0 ? 'busy' : 'idle'),
  };
}
