import { statement, type Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../app/ports.ts';

const insert = statement(
  'dashboard.insert-audit',
  'insert into audit_log (id, merchant_id, actor, action, details) values ($1, $2, $3, $4, $5)',
);

/** Notes who did what; `details` never holds a secret. */
export async function insertAudit(
  tx: Queryable,
  actor: Actor,
  action: string,
  details: object,
): Promise<void> {
  await tx.query(insert, [uuidv7(), actor.merchantId, actor.name, action, JSON.stringify(details)]);
}
