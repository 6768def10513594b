import type { RefundView } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { saveProgress } from '../db/refunds.ts';

/** Stores the progress of refunds, also after their requests were answered. An older version changes nothing. */
export function followRefunds(db: Db): (view: RefundView) => Promise<void> {
  return (view) => saveProgress(db, view);
}
