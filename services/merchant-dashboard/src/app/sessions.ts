import { createHash, randomBytes } from 'node:crypto';
import { AppError, notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import * as rows from '../db/sessions.ts';
import { findUserByEmail, type User } from '../db/users.ts';
import { normalEmail } from './create-merchant.ts';
import { isPassword } from './passwords.ts';

/** 256 bits: nobody guesses one. */
const SECRET_BYTES = 32;
const REAP_EVERY_MS = 10 * 60 * 1000;

const hashed = (secret: string) => createHash('sha256').update(secret).digest();

/** Starts a session; the answer is the cookie's value and is stored nowhere. It takes the place of a `previous` one. */
export async function startSession(db: Db, userId: string, previous?: string): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await db.transaction(async (tx) => {
    if (previous !== undefined) await rows.deleteSession(tx, hashed(previous));
    await rows.insertSession(tx, hashed(secret), userId);
  });
  return secret;
}

/** The user of a password. The same error, after the same work, for an unknown e-mail and for a wrong password. */
export async function userOfPassword(db: Db, email: string, password: string): Promise<User> {
  const user = await findUserByEmail(db, normalEmail(email));
  if (!(await isPassword(user?.passwordHash, password)) || !user)
    throw new AppError('unauthorized', { message: 'e-mail or password is wrong' });
  return user;
}

/** A user by the e-mail, for an operator; not_found when there is none. */
export async function findMember(db: Db, email: string): Promise<User> {
  const user = await findUserByEmail(db, normalEmail(email));
  if (!user) throw notFound('user');
  return user;
}

/** The user of a session that is neither idle for 30 minutes nor older than 12 hours. */
export async function userOfSession(db: Db, secret: string | undefined): Promise<User> {
  const user = secret === undefined ? undefined : await rows.touchSession(db, hashed(secret));
  if (!user) throw new AppError('unauthorized');
  return user;
}

/** Ends a session, if it is one. */
export async function endSession(db: Db, secret: string): Promise<void> {
  await rows.deleteSession(db, hashed(secret));
}

/** Forgets sessions that can no longer be used. */
export function reapSessions(db: Db): Loop {
  return {
    name: 'reap-sessions',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await rows.deleteEndedSessions(db)) > 0 ? 'busy' : 'idle'),
  };
}
