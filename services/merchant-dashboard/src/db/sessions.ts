import { statement, type Queryable } from '@gp/pg';
import { userFromRow, type User, type UserRow } from './users.ts';

/** 30 minutes without a request, or 12 hours in all, by the database's clock. */
const LIVE = `s.last_seen_at > clock_timestamp() - interval '30 minutes' and s.created_at > clock_timestamp() - interval '12 hours'`;
/** How long the proof by a password, a code or a passkey is valid. */
const PROVED_FOR = `interval '10 minutes'`;

/** Where a session was started, as far as its user may recognise it. */
export type Place = { readonly address: string; readonly userAgent: string | null };
export type NewSession = Place & {
  readonly idHash: Buffer;
  readonly userId: string;
  readonly awaitsSecondFactor: boolean;
};
export type SessionUser = User & {
  readonly sessionId: string;
  readonly provedUntil: Date;
  /** The team demands a second factor, and the user has none. */
  readonly lacksSecondFactor: boolean;
};
export type SessionRow = {
  readonly id: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly address: string | null;
  readonly user_agent: string | null;
};

const insert = statement(
  'dashboard.insert-session',
  `insert into sessions (id_hash, user_id, awaits_second_factor, address, user_agent) values ($1, $2, $3, $4, $5)`,
);
/** The team demands a second factor, and the user has none. */
const LACKS_FACTOR = `(exists (select from merchants m where m.id = u.merchant_id and m.requires_second_factor) and not exists (
       select from second_factors f where f.user_id = u.id and f.confirmed_at is not null
     ) and not exists (select from passkeys p where p.user_id = u.id))`;
const OF_SECRET = `s.id_hash = $1 and u.id = s.user_id and not s.awaits_second_factor and ${LIVE}`;
const SESSION_USER = `u.id, u.merchant_id, u.email, u.role, s.id as session_id, s.proved_at + ${PROVED_FOR} as proved_until,
     ${LACKS_FACTOR} as lacks_second_factor`;
type SessionUserRow = UserRow & { session_id: string; proved_until: Date; lacks_second_factor: boolean };

const touch = statement<SessionUserRow>(
  'dashboard.touch-session',
  `update sessions s set last_seen_at = clock_timestamp() from users u where ${OF_SECRET} returning ${SESSION_USER}`,
);
const find = statement<SessionUserRow>(
  'dashboard.find-session',
  `select ${SESSION_USER} from sessions s, users u where ${OF_SECRET}`,
);
// Read by the constraint sessions_are_listed_by_id.
const listLive = statement<{ id: string }>(
  'dashboard.list-live-sessions',
  `select s.id from sessions s join users u on u.id = s.user_id
   where s.id = any($1) and not s.awaits_second_factor and ${LIVE} and not ${LACKS_FACTOR}`,
);
const awaiting = statement<UserRow>(
  'dashboard.find-awaiting-session',
  `select u.id, u.merchant_id, u.email, u.role from sessions s join users u on u.id = s.user_id
   where s.id_hash = $1 and s.awaits_second_factor and s.created_at > clock_timestamp() - ${PROVED_FOR}`,
);
const prove = statement<{ proved_until: Date }>(
  'dashboard.prove-session',
  `update sessions set proved_at = clock_timestamp() where id = $1 returning proved_at + ${PROVED_FOR} as proved_until`,
);
const list = statement<SessionRow>(
  'dashboard.list-sessions',
  `select s.id, s.created_at, s.last_seen_at, s.address, s.user_agent from sessions s
   where s.user_id = $1 and not s.awaits_second_factor and ${LIVE} order by s.last_seen_at desc, s.id`,
);
const remove = statement('dashboard.delete-session', 'delete from sessions where id_hash = $1');
const removeOne = statement<{ id: string }>(
  'dashboard.delete-session-by-id',
  'delete from sessions where user_id = $1 and id = $2 returning id',
);
const removeOthers = statement(
  'dashboard.delete-other-sessions',
  'delete from sessions where user_id = $1 and id is distinct from $2',
);
const reap = statement<{ gone: bigint }>(
  'dashboard.reap-sessions',
  `with gone as (
     delete from sessions
     where id_hash in (select s.id_hash from sessions s where not (${LIVE}) limit 1000) returning 1
   ) select count(*) as gone from gone`,
);

export async function insertSession(db: Queryable, s: NewSession): Promise<void> {
  await db.query(insert, [s.idHash, s.userId, s.awaitsSecondFactor, s.address, s.userAgent]);
}

/**
 * Records the use of a live session and returns its user; undefined when it is unknown, over, or awaits a code.
 */
export async function touchSession(db: Queryable, idHash: Buffer): Promise<SessionUser | undefined> {
  const [row] = await db.query(touch, [idHash]);
  return row && sessionUserFromRow(row);
}

/** Returns the user of a live session without recording a use of it; undefined in the same cases. */
export async function findSession(db: Queryable, idHash: Buffer): Promise<SessionUser | undefined> {
  const [row] = await db.query(find, [idHash]);
  return row && sessionUserFromRow(row);
}

function sessionUserFromRow(row: SessionUserRow): SessionUser {
  return {
    ...userFromRow(row),
    sessionId: row.session_id,
    provedUntil: row.proved_until,
    lacksSecondFactor: row.lacks_second_factor,
  };
}

/** Returns those of these sessions that still give access to a merchant's data. */
export async function listLiveSessions(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await db.query(listLive, [ids])).map(({ id }) => id));
}

/** Returns the user whose password was right in this session and whose second factor is awaited. */
export async function findAwaitingUser(db: Queryable, idHash: Buffer): Promise<User | undefined> {
  const [row] = await db.query(awaiting, [idHash]);
  return row && userFromRow(row);
}

/**
 * Records that the session's user has just proved their identity; returns the instant until which the proof is
 * valid.
 */
export async function markProved(db: Queryable, sessionId: string): Promise<Date | undefined> {
  return (await db.query(prove, [sessionId]))[0]?.proved_until;
}

/** Returns a user's live sessions, the latest used first. */
export function listSessions(db: Queryable, userId: string): Promise<SessionRow[]> {
  return db.query(list, [userId]);
}

export async function deleteSession(db: Queryable, idHash: Buffer): Promise<void> {
  await db.query(remove, [idHash]);
}

/** Ends one session of a user; returns whether there was one. */
export async function deleteSessionById(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await db.query(removeOne, [userId, id])).length > 0;
}

/** Ends all sessions of a user, except the one to keep. */
export async function deleteUserSessions(db: Queryable, userId: string, kept: string | null): Promise<void> {
  await db.query(removeOthers, [userId, kept]);
}

/** Deletes up to 1,000 sessions that are over; returns how many it deleted. */
export async function deleteEndedSessions(db: Queryable): Promise<number> {
  const [row] = await db.query(reap);
  return Number(row?.gone ?? 0n);
}
