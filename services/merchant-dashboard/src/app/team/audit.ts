import type { Db } from '@gp/pg';
import { insertAudit, listAudit, type AuditFilter, type AuditRow } from '../../db/audit.ts';
import type { Actor } from '../ports.ts';

export type { AuditFilter, AuditRow };

/** Entries of one query of an export. */
const STEP = 500;

/**
 * Notes what somebody asks another service to do, before it is asked: an act whose answer was lost, or that failed
 * halfway, is there, and one that cannot be noted is not begun.
 */
export function notedRequest(db: Db): (actor: Actor, action: string, details: object) => Promise<void> {
  return (actor, action, details) => insertAudit(db, actor, action, details);
}

/** A page of a merchant's audit log, newest first, and the id the next one begins behind. */
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

/** The whole audit log of a merchant, newest first, read as fast as it is taken. */
export async function* exportAudit(db: Db, merchantId: string): AsyncGenerator<AuditRow> {
  let before: string | null = null;
  for (;;) {
    const rows: AuditRow[] = await listAudit(db, merchantId, { before, action: null }, STEP);
    yield* rows;
    before = rows.at(-1)?.id ?? null;
    if (rows.length < STEP) return;
  }
}
