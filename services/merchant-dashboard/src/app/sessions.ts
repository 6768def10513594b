import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import * as rows from '../db/sessions.ts';
import { findUserByEmail, type User } from '../db/users.ts';
import { isPassword } from './passwords.ts';

/** 256 bits: nobody guesses one. */
const SECRET_BYTES = 32;

const hashed = (secret: string) => createHash('sha256').update(secret).digest();

/** Starts a session; the answer is the cookie's value and is stored nowhere. */
export async function startSession(db: Db, userId: string): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await rows.insertSession(db, hashed(secret), userId);
  return secret;
}

/** Logs in. The same error, after the same work, for an unknown e-mail and for a wrong password. */
export function logIn(db: Db): (email: string, password: string) => Promise<{ user: User; secret: string }> {
  return async (email, password) => {
    const user = await findUserByEmail(db, email.trim().toLowerCase());
    if (!(await isPassword(user?.passwordHash, password)) || !user)
      throw new AppError('unauthorized', { message: 'e-mail or password is wrong' });
    return { user, secret: await startSession(db, user.id) };
  };
}

/** The user of a session that is neither idle for 30 minutes nor older than 12 hours. */
export async function userOfSession(db: Db, secret: string | undefined): Promise<User> {
  const user = secret === undefined ? undefined : await rows.touchSession(db, hashed(secret));
  if (!user) throw new AppError('unauthorized');
  return user;
}

export async function endSession(db: Db, secret: string): Promise<void> {
  await rows.deleteSession(db, hashed(secret));
}

/** Forgets sessions that can no longer be used. */
export function reapSessions(db: Db): Loop {
  return {
    name: 'reap-sessions',
    idleMs: 10 * 60 * 1000,
    runOnce: async () => ((await rows.deleteEndedSessions(db)) > 0 ? 'busy' : 'idle'),
  };
}
