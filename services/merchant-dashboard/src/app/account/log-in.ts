import { AppError, validationError } from '@gp/errors';
import { insertAudit } from '../../db/audit.ts';
import { deleteUserSessions, markProved } from '../../db/sessions.ts';
import { findSecondFactor } from '../../db/second-factors.ts';
import { findPassword, findUserByEmail, updatePassword, type User } from '../../db/users.ts';
import { normalEmail } from './create-merchant.ts';
import { letters } from '../mail/letters.ts';
import type { WebParts } from '../ports.ts';
import { isRightCode } from './second-factor.ts';
import { startSession, userAwaited, type Member, type Place } from './sessions.ts';
import { countTry, forgiveTries, toNetwork } from './tries.ts';

export type Login = { readonly email: string; readonly password: string };
export type From = { readonly place: Place; readonly previous: string | undefined };
export type LoggedIn = { readonly user: User; readonly secret: string; readonly needsCode: boolean };

/**
 * Logs a user in by the password. Throws the same error, after the same work, for an unknown e-mail and for a
 * wrong password; `rate_limited` after too many of either. With a second factor the session gives no access until
 * its code has been entered.
 */
export function logIn(parts: WebParts): (o: Login, from: From) => Promise<LoggedIn> {
  const { db, limits, passwords } = parts;
  return async ({ email: entered, password }, { place, previous }) => {
    const email = normalEmail(entered);
    await countTry(db, { what: 'address', of: toNetwork(place.address), limit: limits.perAddress });
    const tries = await countTry(db, { what: 'account', of: email, limit: limits.perAccount });
    const user = await findUserByEmail(db, email);
    if (!(await passwords.isRight(user?.passwordHash, password)) || !user)
      throw new AppError('unauthorized', { message: 'e-mail or password is wrong' });
    await forgiveTries(db, tries);
    const needsCode = (await findSecondFactor(db, user.id))?.confirmed_at != null;
    const begin = { userId: user.id, place, previous, awaitsSecondFactor: needsCode };
    const secret = await startSession(db, begin);
    if (!needsCode) await noteLogin(parts, user, place);
    return { user, secret, needsCode };
  };
}

/**
 * Completes, by a code, the login of a session whose password was right; the session gets a new secret.
 * `unauthorized` for a wrong code.
 */
export function giveCode(
  parts: WebParts,
): (awaiting: string | undefined, code: string, place: Place) => Promise<LoggedIn> {
  return async (awaiting, code, place) => {
    const user = await userAwaited(parts.db, awaiting);
    if (!(await isRightCode(parts, user.id, code))) throw wrongCode();
    const secret = await startSession(parts.db, { userId: user.id, place, previous: awaiting });
    await noteLogin(parts, user, place);
    return { user, secret, needsCode: false };
  };
}

/**
 * Has a member prove their identity again, by the password or a code; returns the instant until which the proof is
 * valid.
 */
export function proveAgain(
  parts: WebParts,
): (member: Member, given: { password?: string; code?: string }) => Promise<Date> {
  return async (member, given) => {
    await assertProof(parts, member, given);
    const until = await markProved(parts.db, member.sessionId);
    if (!until) throw new AppError('unauthorized');
    return until;
  };
}

/** Changes a member's password: every other session ends, and this one gets a new secret, which is returned. */
export function changePassword(
  parts: WebParts,
): (member: Member, o: { current: string; wanted: string }, from: From) => Promise<string> {
  const write = letters(parts.addresses.dashboard);
  return async (member, { current, wanted }, { place, previous }) => {
    await assertProof(parts, member, { password: current });
    const passwordHash = await parts.passwords.hash(wanted);
    await parts.db.transaction(async (tx) => {
      await updatePassword(tx, member.id, passwordHash);
      await deleteUserSessions(tx, member.id, null);
      await insertAudit(tx, member, 'user.password_changed', {});
    });
    parts.mailer?.send(write.passwordChanged(member.email));
    return startSession(parts.db, { userId: member.id, place, previous });
  };
}

async function assertProof(
  parts: WebParts,
  { id, email }: Member,
  { password, code }: { password?: string; code?: string },
): Promise<void> {
  if (code !== undefined) {
    if (await isRightCode(parts, id, code)) return;
    throw validationError('code', 'is wrong');
  }
  const { db, limits, passwords } = parts;
  const tries = await countTry(db, { what: 'account', of: email, limit: limits.perAccount });
  if (!(await passwords.isRight(await findPassword(db, id), password ?? '')))
    throw validationError('password', 'is wrong');
  await forgiveTries(db, tries);
}

const wrongCode = () => new AppError('unauthorized', { message: 'the code is wrong', param: 'code' });

async function noteLogin({ db }: WebParts, user: User, { address }: Place): Promise<void> {
  const actor = { merchantId: user.merchantId, name: user.email };
  await insertAudit(db, actor, 'user.logged_in', { address });
}
