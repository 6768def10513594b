import { randomUUID } from 'node:crypto';
import {
  SESSION_TOKEN,
  type mintSession as contract,
  type Mode,
  type RequestOf,
  type ResponseOf,
  type SessionClaims,
} from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { importJWK, SignJWT, type JWK } from '@gp/bundled/jose';
import { findMinting, insertSessionLimits, type Minting } from '../db/sessions.ts';
import type { KnownGroup } from '../domain/picture.ts';
import { lifetimeSeconds, chooseScope } from '../domain/session.ts';
import { between } from '../fail-points.ts';
import type { Ledger, SessionParts } from './ports.ts';
import { raiseEpoch } from './raise-epoch.ts';
import { makeFirstKey } from './signing-keys.ts';

type Mint = RequestOf<typeof contract>;
type Minted = ResponseOf<typeof contract>;
type PrivateKey = Awaited<ReturnType<typeof importJWK>>;

/** A token with what its response states about it; instants are epoch ms, by the database's clock. */
export type FreshSession = {
  readonly token: string;
  readonly canPay: boolean;
  readonly expiresIn: number;
  readonly endsAtMs: number;
  readonly nowMs: number;
};
export type MintFor = (
  found: KnownGroup,
  wanted: Omit<Mint, 'group_id' | keyof Scope>,
) => Promise<FreshSession>;
type Scope = Pick<Mint, 'merchant_id' | 'mode'>;
type GroupScope = Pick<Mint, 'group_id' | keyof Scope>;

/**
 * Mints a token for a group of this merchant and mode. The limits of the token stay in this database, under the
 * token's id, and are stored before the token exists. Rejects with `not_found` and `invalid_slot_ids`.
 */
export function mintSession(
  parts: SessionParts & { ledger: Pick<Ledger, 'findGroup'> },
): (mint: Mint) => Promise<Minted> {
  const mintFor = createMinter(parts);
  return async ({ merchant_id, mode, group_id, ...wanted }) => {
    const mint = async (): Promise<FreshSession> =>
      mintFor(await parts.ledger.findGroup({ merchant_id, mode, group_id }), wanted);
    const { token, expiresIn } = await mint().catch(async (error: unknown) => {
      // The link was replaced after the look-up; the next look-up has the new one.
      if (error instanceof AppError && error.code === 'not_found') return mint();
      throw error;
    });
    return { token, group_id, expires_in: expiresIn };
  };
}

/**
 * Mints tokens for groups that were just looked up. Rejects with `not_found` when the link of the group was replaced
 * since: the caller may know the old one only.
 */
export function createMinter(parts: SessionParts): MintFor {
  const findPrivateKey = privateKeys(parts);
  return async (found, wanted) => {
    const { id: group_id, merchant_id, mode } = found.group;
    const slotIds = checkSlots(found, wanted.slot_ids);
    const link = found.group.link_number ?? 0;
    const minting = await findMintingForLink(parts, { merchant_id, mode, group_id }, link);
    const { nowMs, epoch } = minting;
    const group = {
      isCollecting: found.facts.is_collecting,
      expiresAtMs: Date.parse(found.group.expires_at),
    };
    const expiresIn = lifetimeSeconds(group, wanted.expires_in, nowMs);
    const customerEmail = wanted.customer_email?.trim().toLowerCase() ?? null;
    const limited = customerEmail !== null || slotIds !== null;
    const jti = randomUUID();
    const endsAtMs = nowMs + expiresIn * 1_000;
    const limits = { sessionId: jti, groupId: group_id, customerEmail, slotIds, endsAtMs };
    await between('session-mint', async () => limited && insertSessionLimits(parts.db, limits));
    const scope = [...chooseScope(group, nowMs)];
    const claims = { mid: merchant_id, gp: group_id, mode, scope, jti, epoch, limited, link };
    const key = await findPrivateKey(minting.key);
    const token = await sign(claims, { kid: minting.key.kid, key, nowMs, expiresIn });
    return { token, canPay: scope.includes('pay'), expiresIn, endsAtMs, nowMs };
  };
}

/**
 * Returns what a token of this link is made with. Rejects with `not_found` for an older link than the group has. A newer
 * one than is known here was made by a replacement that broke off: the tokens of the older links are revoked first.
 */
async function findMintingForLink(parts: SessionParts, group: GroupScope, link: number): Promise<Minting> {
  const { group_id, mode } = group;
  const minting = await findOrCreateMinting(parts, group_id, mode);
  if (link < minting.link) throw notFound('group payment');
  if (link === minting.link) return minting;
  return { ...minting, link, epoch: await raiseEpoch(parts, group, link) };
}

/** Returns what the token is made with. The first token of an installation may have to create its first key. */
async function findOrCreateMinting(parts: SessionParts, groupId: string, mode: Mode): Promise<Minting> {
  const known = await findMinting(parts.db, groupId, mode);
  if (known) return known;
  await makeFirstKey(parts, mode);
  const made = await findMinting(parts.db, groupId, mode);
  if (!made) throw new AppError('service_unavailable', { retryAfterSeconds: 1 });
  return made;
}

function checkSlots({ slots }: KnownGroup, wanted: readonly string[] | undefined): readonly string[] | null {
  if (wanted === undefined) return null;
  const own = new Set(slots.map(({ id }) => id));
  const strangers = wanted.filter((id) => !own.has(id));
  const isRight = new Set(wanted).size === wanted.length && strangers.length === 0;
  const details = strangers.length > 0 ? { details: strangers.map(toStranger) } : {};
  if (!isRight) throw new AppError('invalid_slot_ids', { param: 'slot_ids', ...details });
  return wanted;
}

const toStranger = (slot_id: string) => ({
  param: 'slot_ids',
  reason: 'is no slot of this group payment',
  slot_id,
});

function sign(
  claims: SessionClaims,
  o: { kid: string; key: PrivateKey; nowMs: number; expiresIn: number },
): Promise<string> {
  const { alg, typ, iss, aud } = SESSION_TOKEN;
  const issuedAt = Math.floor(o.nowMs / 1_000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg, typ, kid: o.kid })
    .setIssuer(iss)
    .setAudience(aud)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + o.expiresIn)
    .sign(o.key);
}

/** Opens the signing key, once for each kid; only the newest key of a mode is ever requested. */
function privateKeys({ seal }: SessionParts): (key: Minting['key']) => Promise<PrivateKey> {
  const opened = new Map<string, PrivateKey>();
  return async ({ kid, sealed }) => {
    const known = opened.get(kid);
    if (known) return known;
    const key = await importJWK(JSON.parse(seal.open(sealed, kid)) as JWK, SESSION_TOKEN.alg);
    opened.set(kid, key);
    return key;
  };
}
