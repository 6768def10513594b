import { statement, type Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../app/ports.ts';

const insert = statement(
  'dashboard.insert-audit',
  'insert into audit_log (id, merchant_id, actor, action, details) values ($1, $2, $3, $4, $5)',
);

/** Records an action and its author; `details` never holds a secret. */
export async function insertAudit(
  tx: Queryable,
  actor: Actor,
  action: string,
  details: object,
): Promise<void> {
  const { merchantId, name, operatorKey } = actor;
  const told = operatorKey === undefined ? details : { ...details, operator_key: operatorKey };
  await tx.query(insert, [uuidv7(), merchantId, name, action, JSON.stringify(told)]);
}

export type AuditRow = {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly details: Record<string, unknown>;
};
/** The id where a page ended; ids are in the order of time. */
export type AuditFilter = { readonly before: string | null; readonly action: string | null };

// Served by the index audit_log_of_a_merchant_by_id, backwards.
const list = statement<AuditRow>(
  'dashboard.list-audit',
  `select id, at, actor, action, details from audit_log
   where merchant_id = $1 and ($2::uuid is null or id < $2) and ($3::text is null or action = $3 or action like $3 || '.%')
   order by id desc limit $4`,
);

/** Returns a merchant's audit entries, newest first, at most `limit`. `action` may be a whole one or a prefix. */
export function listAudit(
  db: Queryable,
  merchantId: string,
  { before, action }: AuditFilter,
  limit: number,
): Promise<AuditRow[]> {
  return db.query(list, [merchantId, before, action, limit]);
}
