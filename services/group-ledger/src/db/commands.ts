import { statement, type Queryable } from '@gp/pg';

const find = statement<{ fingerprint: string; group_id: string }>(
  'ledger.find-command',
  `select encode(fingerprint, 'hex') as fingerprint, group_id from commands where id = $1`,
);

// Older than the 72 hours after which the edge deletes a key (Q12), never younger. The brin index finds the old end.
const reap = statement<{ reaped: bigint }>(
  'ledger.reap-commands',
  `with old as (
     select id from commands where created_at < clock_timestamp() - make_interval(hours => $1) limit 1000
   ), gone as (delete from commands c using old where c.id = old.id returning 1)
   select count(*) as reaped from gone`,
);

/** The result of an earlier run of this command id. */
export async function findCommand(
  db: Queryable,
  commandId: string,
): Promise<{ fingerprint: string; group_id: string } | undefined> {
  const [row] = await db.query(find, [Buffer.from(commandId, 'hex')]);
  return row;
}

/** Deletes up to 1,000 commands older than `hours`; returns how many. */
export async function deleteCommands(db: Queryable, hours: number): Promise<number> {
  const [row] = await db.query(reap, [hours]);
  return Number(row?.reaped ?? 0n);
}
