import type { AuditEntry, AuditHead, AuditLink } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

// One statement, so that the end of a chain and the number of entries are those of one instant.
const heads = statement<{ merchant_id: string; position: bigint; hash: string | null; entries: bigint }>(
  'dashboard.list-audit-heads',
  `select m.id as merchant_id, coalesce(last.position, 0) as position, encode(last.hash, 'hex') as hash,
     (select count(*) from audit_log a where a.merchant_id = m.id) as entries
   from merchants m
     left join lateral (select position, hash from audit_chain c where c.merchant_id = m.id
                        order by position desc limit 1) last on true
   where $1::uuid is null or m.id > $1 order by m.id limit $2`,
);

/** Returns the ends of the merchants' audit chains, by merchant, after the one named. */
export async function listAuditHeads(
  db: Queryable,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditHead[]> {
  const rows = await db.query(heads, [after, limit]);
  return rows.map((row) => ({ ...row, position: Number(row.position), entries: Number(row.entries) }));
}

type LinkRow = { position: bigint; hash: string } & (
  { id: string; at: Date; actor: string; action: string; details: string } | { id: null }
);
const links = statement<LinkRow>(
  'dashboard.list-audit-links',
  `select c.position, encode(c.hash, 'hex') as hash, a.id, a.at, a.actor, a.action, a.details::text as details
   from audit_chain c left join audit_log a on a.id = c.entry_id and a.merchant_id = c.merchant_id
   where c.merchant_id = $1 and c.position > $2 order by c.position limit $3`,
);

/** Returns a merchant's audit chain after a position, in its order, at most `limit` places. */
export async function listAuditLinks(
  db: Queryable,
  o: { merchant_id: string; after: number; limit: number },
): Promise<AuditLink[]> {
  const rows = await db.query(links, [o.merchant_id, o.after, o.limit]);
  return rows.map((row) => ({ position: Number(row.position), hash: row.hash, entry: readEntry(row) }));
}

function readEntry(row: LinkRow): AuditEntry | null {
  if (row.id === null) return null;
  const { id, at, actor, action, details } = row;
  return { id, at: at.toISOString(), actor, action, details };
}
