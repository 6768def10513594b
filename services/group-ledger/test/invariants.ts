import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../invariants.sql', import.meta.url), 'utf8');

export type Violation = { readonly promise: string; readonly group_id: string; readonly detail: string };
type Asked = { query(text: string): Promise<{ rows: unknown[] }> };

/** Every broken promise among all groups of the database; none is the only good answer. */
export async function findViolations(db: Asked): Promise<Violation[]> {
  return (await db.query(text)).rows as Violation[];
}
