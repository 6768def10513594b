import type { findTimers as contract, RequestOf, ResponseOf } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findArmed } from '../db/timers.ts';

type Contract = typeof contract;

/** Finds armed timers by key, so that an operator sees what happens next. */
export function findTimersByKey(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async ({ owner, keys }) => ({
    timers: (await findArmed(db, owner, keys)).map(({ key, kind, due_at }) => ({
      key,
      kind,
      due_at: due_at.toISOString(),
    })),
  });
}
