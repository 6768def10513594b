import { randomInt } from 'node:crypto';
import { AppError, validationError } from '@gp/errors';
import type { Seal } from '@gp/seal';
import { Secret, TOTP } from 'otpauth';
import { insertAudit } from '../../db/audit.ts';
import * as rows from '../../db/second-factors.ts';
import { deleteUserSessions } from '../../db/sessions.ts';
import { letters } from '../mail/letters.ts';
import type { WebParts } from '../ports.ts';
import { hashSecret } from './secrets.ts';
import type { Member } from './sessions.ts';
import { countTry, forgiveTries } from './tries.ts';

const PERIOD_SECONDS = 30;
/** A clock may be half a minute off, either way. */
const WINDOW = 1;
const CODES = 10;
/** Without letters and digits that look alike: 50 bits in ten characters. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const ISSUER = 'Group Payments';

/** Returns the state of a member's second factor. */
export async function describeSecondFactor(
  { db }: Pick<WebParts, 'db'>,
  userId: string,
): Promise<{ isOn: boolean; codesLeft: number }> {
  const found = await rows.findSecondFactor(db, userId);
  return { isOn: found?.confirmed_at != null, codesLeft: Number(found?.codes_left ?? 0n) };
}

/**
 * Begins a second factor. Its secret is returned here only and stored encrypted. It takes effect with its first
 * valid code.
 */
export function beginSecondFactor({
  db,
  seal,
}: WebParts): (member: Member) => Promise<{ secret: string; otpauth_url: string }> {
  return async ({ id, email }) => {
    const secret = new Secret({ size: 20 });
    if (!(await rows.putSecondFactor(db, id, seal.seal(secret.base32, id))))
      throw new AppError('conflict', { message: 'there is a second factor already; remove it first' });
    return { secret: secret.base32, otpauth_url: generator(secret, email).toString() };
  };
}

/** Activates a second factor by its first code. Returns the recovery codes, which are shown only this once. */
export function confirmSecondFactor(parts: WebParts): (member: Member, code: string) => Promise<string[]> {
  return async (member, code) => {
    const counter = nameSessionCounter(member);
    if (!(await isRightCode(parts, member.id, { code, counter }))) throw validationError('code', 'is wrong');
    const codes = await newCodes(parts, member, 'user.second_factor_added');
    noticeUser(parts, member, 'A second factor was added');
    return codes;
  };
}

/** Replaces the recovery codes by new ones. `conflict` without a second factor. */
export function renewRecoveryCodes(parts: WebParts): (member: Member) => Promise<string[]> {
  return async (member) => {
    if (!(await describeSecondFactor(parts, member.id)).isOn)
      throw new AppError('conflict', { message: 'there is no second factor' });
    const codes = await newCodes(parts, member, 'user.recovery_codes_renewed');
    noticeUser(parts, member, 'Your recovery codes were replaced');
    return codes;
  };
}

/** Removes a member's second factor. */
export function removeSecondFactor(parts: WebParts): (member: Member) => Promise<void> {
  return async (member) => {
    const isRemoved = await parts.db.transaction(async (tx) => {
      if (!(await rows.deleteSecondFactor(tx, member.id))) return false;
      await insertAudit(tx, member, 'user.second_factor_removed', {});
      return true;
    });
    if (isRemoved) noticeUser(parts, member, 'The second factor was removed');
  };
}

function noticeUser({ mailer, addresses }: WebParts, { email }: Member, what: string): void {
  mailer?.send(letters(addresses.dashboard).loginChanged(email, what));
}

/** Tries within a session are counted by the session, so other clients cannot use them up. */
export const nameSessionCounter = ({ sessionId }: Member): string => `session ${sessionId}`;

/**
 * Returns whether a code of the generator or a recovery code is right, and uses it up if so. Rejects with
 * `rate_limited` after too many wrong ones of the same `counter`.
 */
export async function isRightCode(
  parts: WebParts,
  userId: string,
  { code, counter }: { readonly code: string; readonly counter: string },
): Promise<boolean> {
  const { db, seal, limits } = parts;
  const tries = await countTry(db, { what: 'code', of: counter, limit: limits.perCode });
  const isRight = /^\d{6}$/.test(code.replaceAll(' ', ''))
    ? await isTotp({ db, seal }, userId, code.replaceAll(' ', ''))
    : await rows.useRecoveryCode(db, userId, hashSecret(plain(code)));
  if (isRight) await forgiveTries(db, tries);
  return isRight;
}

async function isTotp(
  { db, seal }: { db: WebParts['db']; seal: Seal },
  userId: string,
  token: string,
): Promise<boolean> {
  const found = await rows.findSecondFactor(db, userId);
  if (!found) return false;
  const base32 = seal.open({ keyId: found.secret_key_id, bytes: found.secret_sealed }, userId);
  const timestamp = Date.now();
  const delta = generator(Secret.fromBase32(base32), '').validate({ token, timestamp, window: WINDOW });
  if (delta === null) return false;
  return rows.takeStep(db, userId, Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta);
}

function generator(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, digits: 6, period: PERIOD_SECONDS, algorithm: 'SHA1' });
}

async function newCodes({ db }: WebParts, member: Member, action: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await db.transaction(async (tx) => {
    const hashes = codes.map((code) => hashSecret(plain(code)));
    await rows.replaceRecoveryCodes(tx, member.id, hashes);
    await deleteUserSessions(tx, member.id, member.sessionId);
    await insertAudit(tx, member, action, {});
  });
  return codes;
}

/** Returns a recovery code: five characters, a hyphen, five more. */
function newCode(): string {
  const characters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

/** Returns the code in the form in which it was issued, whatever case and separators were typed. */
const plain = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');
