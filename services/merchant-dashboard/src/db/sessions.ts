import { statement, type Queryable } from '@gp/pg';
import { userFromRow, type User, type UserRow } from './users.ts';

/** 30 minutes without a request, or 12 hours in all, by the database's clock. */
const LIVE = `s.last_seen_at > clock_timestamp() - interval '30 minutes' and s.created_at > clock_timestamp() - interval '12 hours'`;

const insert = statement(
  'dashboard.insert-session',
  'insert into sessions (id_hash, user_id) values ($1, $2)',
);
const touch = statement<UserRow>(
  'dashboard.touch-session',
  `update sessions s set last_seen_at = clock_timestamp() from users u
   where s.id_hash = $1 and u.id = s.user_id and ${LIVE}
   returning u.id, u.merchant_id, u.email, u.role`,
);
const remove = statement('dashboard.delete-session', 'delete from sessions where id_hash = $1');
const reap = statement<{ gone: bigint }>(
  'dashboard.reap-sessions',
  `with gone as (
     delete from sessions
     where id_hash in (select s.id_hash from sessions s where not (${LIVE}) limit 1000) returning 1
   ) select count(*) as gone from gone`,
);

export async function insertSession(db: Queryable, idHash: Buffer, userId: string): Promise<void> {
  await db.query(insert, [idHash, userId]);
}

/** Keeps a live session awake and answers its user; undefined when it is unknown or over. */
export async function touchSession(db: Queryable, idHash: Buffer): Promise<User | undefined> {
  const [row] = await db.query(touch, [idHash]);
  return row && userFromRow(row);
}

export async function deleteSession(db: Queryable, idHash: Buffer): Promise<void> {
  await db.query(remove, [idHash]);
}

/** Deletes up to 1,000 sessions that are over; answers how many went. */
export async function deleteEndedSessions(db: Queryable): Promise<number> {
  const [row] = await db.query(reap);
  return Number(row?.gone ?? 0n);
}
