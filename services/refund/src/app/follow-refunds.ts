import type { RefundView } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { noteProgress } from '../db/refunds.ts';

/** Keeps how refunds go on, long after their askers were answered; older news than what is known changes nothing. */
export function followRefunds(db: Db): (view: RefundView) => Promise<void> {
  return (view) => noteProgress(db, view);
}
