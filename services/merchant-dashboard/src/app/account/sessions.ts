import { AppError, notFound } from '@gp/errors';
import type { Db, Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import * as rows from '../../db/sessions.ts';
import { findUserByEmail, type User } from '../../db/users.ts';
import { normalEmail } from './create-merchant.ts';
import type { Actor } from '../ports.ts';
import { hashSecret, newSecret } from './secrets.ts';

export type { User };
export type Place = rows.Place;

/** A logged-in user, who is also the actor in the audit log. */
export type Member = rows.SessionUser & Actor;

const REAP_EVERY_MS = 10 * 60 * 1000;

/** The values from which a session is started. */
export type Beginning = {
  readonly userId: string;
  readonly place: Place;
  /** The session the browser had before; it ends. */
  readonly previous?: string | undefined;
  /** The password was right and a code is still awaited: until then the session gives no other access. */
  readonly awaitsSecondFactor?: boolean;
};

/** Starts a session and returns the cookie's value, which is not stored. */
export async function startSession(db: Db, o: Beginning): Promise<string> {
  const { secret, hash } = newSecret();
  await db.transaction(async (tx) => {
    if (o.previous !== undefined) await rows.deleteSession(tx, hashSecret(o.previous));
    const { userId, awaitsSecondFactor = false } = o;
    await rows.insertSession(tx, { ...o.place, idHash: hash, userId, awaitsSecondFactor });
  });
  return secret;
}

/** Returns a user by the e-mail, for an operator; throws not_found when there is none. */
export async function findMember(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, normalEmail(email));
  if (!user) throw notFound('user');
  return user;
}

/**
 * Returns the user of a session that is neither idle for 30 minutes nor older than 12 hours. A request that is no use of
 * the session, because a page made it by itself, does not postpone the end.
 */
export async function memberOfSession(
  db: Queryable,
  secret: string | undefined,
  { isUse }: { readonly isUse: boolean },
): Promise<Member> {
  const find = isUse ? rows.touchSession : rows.findSession;
  const user = secret === undefined ? undefined : await find(db, hashSecret(secret));
  if (!user) throw new AppError('unauthorized');
  return { ...user, name: user.email };
}

/** Returns the user whose second factor a session awaits; it waits ten minutes. */
export async function userAwaited(db: Queryable, secret: string | undefined): Promise<User> {
  const user = secret === undefined ? undefined : await rows.findAwaitingUser(db, hashSecret(secret));
  if (!user) throw new AppError('unauthorized');
  return user;
}

/** Records that a member has just proved the identity; returns the instant until which the proof is valid. */
export async function recordProof(db: Queryable, { sessionId }: Member): Promise<Date> {
  const until = await rows.markProved(db, sessionId);
  if (!until) throw new AppError('unauthorized');
  return until;
}

/** Ends a session, if it exists. */
export async function endSession(db: Db, secret: string): Promise<void> {
  await rows.deleteSession(db, hashSecret(secret));
}

/** Returns a member's live sessions. */
export function listSessions(db: Db, { id }: Member): Promise<rows.SessionRow[]> {
  return rows.listSessions(db, id);
}

/** Ends one of a member's own sessions; throws not_found when the member has no such session. */
export async function endOneSession(db: Db, { id }: Member, sessionId: string): Promise<void> {
  if (!(await rows.deleteSessionById(db, id, sessionId))) throw notFound('session');
}

/** Ends all of a member's sessions except this one. */
export async function endOtherSessions(db: Db, { id, sessionId }: Member): Promise<void> {
  await rows.deleteUserSessions(db, id, sessionId);
}

/** Deletes sessions that can no longer be used. */
export function reapSessions(db: Db): Loop {
  return {
    name: 'reap-sessions',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await rows.deleteEndedSessions(db)) > 0 ? 'busy' : 'idle'),
  };
}
