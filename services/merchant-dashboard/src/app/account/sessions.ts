import { AppError, notFound } from '@gp/errors';
import type { Db, Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import * as rows from '../../db/sessions.ts';
import { findUserByEmail, type User } from '../../db/users.ts';
import { normalEmail } from './create-merchant.ts';
import type { Actor } from '../ports.ts';
import { hashOf, newSecret } from './secrets.ts';

export type { User };
export type Place = rows.Place;

/** Somebody who is logged in, and so far as it goes for the audit log, who acts. */
export type Member = rows.SessionUser & Actor;

const REAP_EVERY_MS = 10 * 60 * 1000;

/** What a session begins with. */
export type Beginning = {
  readonly userId: string;
  readonly place: Place;
  /** The session the browser had: it ends. */
  readonly previous?: string | undefined;
  /** The password was right, and a code is still to come: the session opens nothing else. */
  readonly awaitsSecondFactor?: boolean;
};

/** Starts a session; the answer is the cookie's value and is stored nowhere. */
export async function startSession(db: Db, o: Beginning): Promise<string> {
  const { secret, hash } = newSecret();
  await db.transaction(async (tx) => {
    if (o.previous !== undefined) await rows.deleteSession(tx, hashOf(o.previous));
    const { userId, awaitsSecondFactor = false } = o;
    await rows.insertSession(tx, { ...o.place, idHash: hash, userId, awaitsSecondFactor });
  });
  return secret;
}

/** A user by the e-mail, for an operator; not_found when there is none. */
export async function findMember(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, normalEmail(email));
  if (!user) throw notFound('user');
  return user;
}

/** Who is logged in with a session that is neither idle for 30 minutes nor older than 12 hours. */
export async function memberOfSession(db: Queryable, secret: string | undefined): Promise<Member> {
  const user = secret === undefined ? undefined : await rows.touchSession(db, hashOf(secret));
  if (!user) throw new AppError('unauthorized');
  return { ...user, name: user.email };
}

/** Whose second factor a session waits for; it waits ten minutes. */
export async function userAwaited(db: Queryable, secret: string | undefined): Promise<User> {
  const user = secret === undefined ? undefined : await rows.findAwaitingUser(db, hashOf(secret));
  if (!user) throw new AppError('unauthorized');
  return user;
}

/** Ends a session, if it is one. */
export async function endSession(db: Db, secret: string): Promise<void> {
  await rows.deleteSession(db, hashOf(secret));
}

/** A member's live sessions. */
export function listSessions(db: Db, { id }: Member): Promise<rows.SessionRow[]> {
  return rows.listSessions(db, id);
}

/** Ends one of a member's own sessions; not_found when it is none of theirs. */
export async function endOneSession(db: Db, { id }: Member, sessionId: string): Promise<void> {
  if (!(await rows.deleteSessionById(db, id, sessionId))) throw notFound('session');
}

/** Ends all of a member's sessions but this one. */
export async function endOtherSessions(db: Db, { id, sessionId }: Member): Promise<void> {
  await rows.deleteSessionsOf(db, id, sessionId);
}

/** Forgets sessions that can no longer be used. */
export function reapSessions(db: Db): Loop {
  return {
    name: 'reap-sessions',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await rows.deleteEndedSessions(db)) > 0 ? 'busy' : 'idle'),
  };
}
