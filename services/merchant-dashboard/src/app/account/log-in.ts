import { AppError, validationError } from '@gp/errors';
import { clientNetwork } from '@gp/http';
import { insertAudit } from '../../db/audit.ts';
import { deleteUserSessions } from '../../db/sessions.ts';
import { listSecondFactors, type SecondFactor } from '../../db/second-factors.ts';
import { findPassword, findUserByEmail, updatePassword, type User } from '../../db/users.ts';
import { normalEmail } from './create-merchant.ts';
import { letters } from '../mail/letters.ts';
import type { WebParts } from '../ports.ts';
import { findDeviceCounter, saveDeviceOfUser } from './devices.ts';
import type { Client } from './passwords.ts';
import { isRightCode, nameSessionCounter } from './second-factor.ts';
import { recordProof, startSession, userAwaited, type Member, type Place } from './sessions.ts';
import { countTry, forgiveTries, isWithin, type Try } from './tries.ts';

export type Login = { readonly email: string; readonly password: string };
export type From = {
  readonly place: Place;
  readonly previous: string | undefined;
  /** The secret of the browser's device cookie. */
  readonly device: string | undefined;
};
export type LoggedIn = {
  readonly user: User;
  readonly secret: string;
  /** The secret for the device cookie; undefined until the login is complete. */
  readonly device: string | undefined;
  /** Factors of which the login still needs one; none when it is complete. */
  readonly awaits: readonly SecondFactor[];
};

/** The number of wrong passwords in a window after which the account's user gets a mail. */
const NOTICE_AFTER = 5;
const NOTICE_EVERY = { most: 1, seconds: 24 * 60 * 60 };

/**
 * Logs a user in by the password. Throws the same error, after the same work, for an unknown e-mail and for a
 * wrong password; `rate_limited` after too many of either. A device on which the user has logged in before has a
 * count of its own, so that strangers cannot lock the user out. With a second factor the session gives no access
 * until its code has been entered, or a passkey has logged the user in.
 */
export function logIn(parts: WebParts): (o: Login, from: From) => Promise<LoggedIn> {
  const { db, passwords } = parts;
  const complete = completeLogin(parts);
  const warn = warnOfTries(parts);
  return async ({ email: entered, password }, from) => {
    const email = normalEmail(entered);
    const client = await findClient(parts, email, from);
    const tries = await countLogin(parts, email, client);
    const user = await findUserByEmail(db, email);
    if (!(await passwords.isRight(user?.passwordHash, password, client)) || !user) {
      if (user) await warn(user, tries);
      throw new AppError('unauthorized', { message: 'e-mail or password is wrong' });
    }
    await forgiveTries(db, tries);
    const awaits = await listSecondFactors(db, user.id);
    if (awaits.length === 0) return complete(user, from);
    const { place, previous } = from;
    const secret = await startSession(db, { userId: user.id, place, previous, awaitsSecondFactor: true });
    return { user, secret, device: undefined, awaits };
  };
}

/**
 * Completes, by a code, the login of a session whose password was right; the session gets a new secret.
 * `unauthorized` for a wrong code.
 */
export function giveCode(
  parts: WebParts,
): (awaiting: string | undefined, code: string, from: From) => Promise<LoggedIn> {
  const complete = completeLogin(parts);
  return async (awaiting, code, from) => {
    const user = await userAwaited(parts.db, awaiting);
    const counter = (await findDeviceCounter(parts, user.email, from.device)) ?? user.id;
    if (!(await isRightCode(parts, user.id, { code, counter }))) throw wrongCode();
    return complete(user, { ...from, previous: awaiting });
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
    return recordProof(parts.db, member);
  };
}

/** Changes a member's password: every other session ends, and this one gets a new secret, which is returned. */
export function changePassword(
  parts: WebParts,
): (
  member: Member,
  o: { current: string; wanted: string },
  from: Pick<From, 'place' | 'previous'>,
) => Promise<string> {
  const write = letters(parts.addresses.dashboard);
  return async (member, { current, wanted }, { place, previous }) => {
    await assertProof(parts, member, { password: current });
    const passwordHash = await parts.passwords.hash(wanted, [member.email], nameSessionCounter(member));
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
  member: Member,
  { password, code }: { password?: string; code?: string },
): Promise<void> {
  const counter = nameSessionCounter(member);
  if (code !== undefined) {
    if (await isRightCode(parts, member.id, { code, counter })) return;
    throw validationError('code', 'is wrong');
  }
  const { db, limits, passwords } = parts;
  const tries = await countTry(db, { what: 'proof', of: counter, limit: limits.perAccount });
  const client = { name: counter, isKnown: true };
  if (!(await passwords.isRight(await findPassword(db, member.id), password ?? '', client)))
    throw validationError('password', 'is wrong');
  await forgiveTries(db, tries);
}

const wrongCode = () => new AppError('unauthorized', { message: 'the code is wrong', param: 'code' });

/** Returns the client of the login: a device the user has used before, else a network. */
async function findClient(parts: WebParts, email: string, { place, device }: From): Promise<Client> {
  const known = await findDeviceCounter(parts, email, device);
  return { name: known ?? clientNetwork(place.address), isKnown: known !== undefined };
}

/** Counts a login try: on a known device by that device, else by the network and the account. */
async function countLogin({ db, limits }: WebParts, email: string, { name, isKnown }: Client): Promise<Try> {
  if (isKnown) return countTry(db, { what: 'device', of: name, limit: limits.perAccount });
  await countTry(db, { what: 'address', of: name, limit: limits.perAddress });
  return countTry(db, { what: 'account', of: email, limit: limits.perAccount });
}

/** Mails the user, at most once a day, that passwords of the account are being guessed. */
function warnOfTries({ db, limits, mailer, addresses }: WebParts): (user: User, tries: Try) => Promise<void> {
  const write = letters(addresses.dashboard);
  return async ({ email }, { count }) => {
    if (count !== Math.min(NOTICE_AFTER, limits.perAccount.most)) return;
    if (await isWithin(db, { what: 'notice', of: email, limit: NOTICE_EVERY }))
      mailer?.send(write.failedLogins(email, count));
  };
}

/** Starts a user's session, on a device that is known from now on; returns the secrets of both cookies. */
export function enterOnDevice(
  parts: WebParts,
): (user: Pick<User, 'id' | 'email'>, from: From) => Promise<{ secret: string; device: string }> {
  const saveDevice = saveDeviceOfUser(parts);
  return async (user, { place, previous, device: given }) => {
    const secret = await startSession(parts.db, { userId: user.id, place, previous });
    return { secret, device: await saveDevice(user, given, place) };
  };
}

/** Completes a login whose proofs are all given: starts the session, on a device that is known from now on. */
export function completeLogin(parts: WebParts): (user: User, from: From) => Promise<LoggedIn> {
  const enter = enterOnDevice(parts);
  return async (user, from) => {
    const entered = await enter(user, from);
    const actor = { merchantId: user.merchantId, name: user.email };
    await insertAudit(parts.db, actor, 'user.logged_in', { address: from.place.address });
    return { user, ...entered, awaits: [] };
  };
}
