import { readFileSync } from 'node:fs';
import type { Db } from '@gp/pg';

const text = readFileSync(new URL('../invariants.sql', import.meta.url), 'utf8');

export type Violation = { readonly promise: string; readonly group_id: string; readonly detail: string };

/** Every broken promise among all groups of the database; none is the only good answer. */
export async function findViolations(db: Db): Promise<Violation[]> {
  return (await db.pool.query<Violation>(text)).rows;
}
