import type { Db } from '@gp/pg';
import { insertAudit, listAudit, type AuditFilter, type AuditRow } from '../../db/audit.ts';
import type { Actor } from '../ports.ts';

export type { AuditFilter, AuditRow };

/** Rows that an export reads per query. */
const STEP = 500;

/**
 * Records a request to another service before it is sent: a request whose response was lost, or that failed
 * halfway, is recorded, and one that cannot be recorded is not sent.
 */
export function notedRequest(db: Db): (actor: Actor, action: string, details: object) => Promise<void> {
  return (actor, action, details) => insertAudit(db, actor, action, details);
}

/** Returns a page of a merchant's audit log, newest first, and the id after which the next page begins. */
export async function auditPage(
  db: Db,
  merchantId: string,
  filter: AuditFilter,
  limit: number,
): Promise<{ rows: AuditRow[]; next: string | null }> {
  const rows = await listAudit(db, merchantId, filter, limit + 1);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Yields the whole audit log of a merchant, newest first, in pages that are read as the consumer comes to them. */
export async function* exportAudit(db: Db, merchantId: string): AsyncGenerator<AuditRow[]> {
  let before: string | null = null;
  for (;;) {
    const rows: AuditRow[] = await listAudit(db, merchantId, { before, action: null }, STEP);
    yield rows;
    before = rows.at(-1)?.id ?? null;
    if (rows.length < STEP) return;
  }
}
