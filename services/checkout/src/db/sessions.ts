import type { Mode, SessionEpoch } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { Sealed } from '@gp/seal';

/** The data that a new token of a group is made with. */
export type Minting = {
  readonly epoch: number;
  /** The number of the group's link: a group that was looked up with a smaller one is out of date. */
  readonly link: number;
  readonly nowMs: number;
  readonly key: { readonly kid: string; readonly sealed: Sealed };
};

/** The limits of a session; null where there is none. */
export type SessionLimits = {
  readonly customerEmail: string | null;
  readonly slotIds: readonly string[] | null;
};

type MintingRow = {
  epoch: number;
  link: number;
  kid: string;
  sealed: Buffer;
  sealed_with: string;
  now: Date;
};

const minting = statement<MintingRow>(
  'checkout.find-minting',
  `select coalesce(e.epoch, 0) as epoch, coalesce(e.link, 0) as link,
     kid, sealed, sealed_with, clock_timestamp() as now
   from signing_keys k left join session_epochs e on e.group_id = $1
   where k.mode = $2 and signs_from <= clock_timestamp()
   order by signs_from desc limit 1`,
);
const findEpoch = statement<{ epoch: number }>(
  'checkout.find-session-epoch',
  'select epoch from session_epochs where group_id = $1',
);
// Index: the primary key. Few groups have a row.
const listEpochs = statement<{ group_id: string; epoch: number }>(
  'checkout.list-session-epochs',
  'select group_id, epoch from session_epochs where group_id = any($1::uuid[])',
);
const raise = statement<{ epoch: number }>(
  'checkout.raise-session-epoch',
  `insert into session_epochs as e (group_id, merchant_id, mode, epoch, link) values ($1, $2, $3, 1, $4)
   on conflict (group_id) do update
     set epoch = e.epoch + 1, link = greatest(e.link, excluded.link), raised_at = clock_timestamp()
     where excluded.link = 0 or e.link < excluded.link
   returning epoch`,
);
const insertLimits = statement(
  'checkout.insert-session-limits',
  `insert into session_limits (session_id, group_id, customer_email, slot_ids, ends_at)
   values ($1, $2, $3, $4, to_timestamp($5::double precision / 1000))`,
);
const findLimits = statement<{ customer_email: string | null; slot_ids: string[] | null }>(
  'checkout.find-session-limits',
  'select customer_email, slot_ids from session_limits where session_id = $1 and group_id = $2',
);
// Index: session_limits_by_end. In small batches; a minute's grace lets requests in flight finish.
const reapLimits = statement<{ session_id: string }>(
  'checkout.reap-session-limits',
  `delete from session_limits where session_id in (
     select session_id from session_limits where ends_at < clock_timestamp() - interval '1 minute'
     order by ends_at limit 500)
   returning session_id`,
);

/** Returns the epoch of a group and the mode's key that signs now; undefined while there is none. */
export async function findMinting(db: Queryable, groupId: string, mode: Mode): Promise<Minting | undefined> {
  const [row] = await db.query(minting, [groupId, mode]);
  if (!row) return undefined;
  const { epoch, link, kid, sealed, sealed_with, now } = row;
  return { epoch, link, nowMs: now.getTime(), key: { kid, sealed: { keyId: sealed_with, bytes: sealed } } };
}

/** Returns the epoch of a group: its tokens of an earlier one are revoked. */
export async function epochOfGroup(db: Queryable, groupId: string): Promise<number> {
  return (await db.query(findEpoch, [groupId]))[0]?.epoch ?? 0;
}

/** Returns the epochs of groups; one that has none is left out. */
export async function listEpochsOfGroups(
  db: Queryable,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query(listEpochs, [groupIds]);
  return new Map(rows.map(({ group_id, epoch }) => [group_id, epoch]));
}

/**
 * Begins the next epoch of a group; the row's lock serialises two raises. `link`: 0 keeps the known one. Returns undefined
 * when the tokens of every earlier link have been revoked before.
 */
export async function raiseEpoch(
  tx: Queryable,
  group: Omit<SessionEpoch, 'epoch'>,
  link: number,
): Promise<number | undefined> {
  const [row] = await tx.query(raise, [group.group_id, group.merchant_id, group.mode, link]);
  return row?.epoch;
}

export async function insertSessionLimits(
  db: Queryable,
  session: SessionLimits & { sessionId: string; groupId: string; endsAtMs: number },
): Promise<void> {
  const { sessionId, groupId, customerEmail, slotIds, endsAtMs } = session;
  await db.query(insertLimits, [sessionId, groupId, customerEmail, slotIds, endsAtMs]);
}

export async function findSessionLimits(
  db: Queryable,
  sessionId: string,
  groupId: string,
): Promise<SessionLimits | undefined> {
  const [row] = await db.query(findLimits, [sessionId, groupId]);
  return row && { customerEmail: row.customer_email, slotIds: row.slot_ids };
}

/** Deletes the limits of sessions that have ended; returns how many. */
export async function deleteEndedLimits(db: Queryable): Promise<number> {
  return (await db.query(reapLimits, [])).length;
}
