import {
  SESSION_SCOPES,
  SESSION_TOKEN,
  type Mode,
  type SessionClaims,
  type SessionScope,
} from '@gp/contracts';
import { AppError } from '@gp/errors';
import { errors, jwtVerify } from '@gp/bundled/jose';
import type { SigningKeySet } from './signing-key-set.ts';

/** The claims of a valid token. `endsAtMs` is epoch ms. */
export type ProvenToken = {
  readonly claims: SessionClaims;
  readonly scope: readonly SessionScope[];
  readonly endsAtMs: number;
};
export type VerifyToken = (token: string) => Promise<ProvenToken>;

const { alg, typ, iss, aud } = SESSION_TOKEN;
const EXPECTED = {
  algorithms: [alg],
  typ,
  issuer: iss,
  audience: aud,
  requiredClaims: ['iat', 'exp', 'jti', 'mid', 'gp', 'mode', 'scope', 'epoch', 'limited'],
};

/**
 * Verifies a session token: signed by one of our keys of its own mode, of our kind, for us, not ended, and of an
 * epoch that is not revoked. Rejects with `unauthorized` for everything else, without naming the wrong part.
 */
export function verifyToken(o: {
  keys: Pick<SigningKeySet, 'find'>;
  /** Returns the epoch of a group, 0 while its tokens were never revoked. */
  findEpoch: (groupId: string) => Promise<number>;
}): VerifyToken {
  return async (token) => {
    const { claims, mode, endsAtMs } = await signedClaims(o.keys, token);
    if (claims.mode !== mode || claims.epoch < (await o.findEpoch(claims.gp)))
      throw new AppError('unauthorized');
    return { claims, scope: SESSION_SCOPES.filter((name) => claims.scope.includes(name)), endsAtMs };
  };
}

/**
 * Returns the claims of a token, and the mode of the key that signed them. Checkout signs only claims of this
 * shape.
 */
async function signedClaims(
  keys: Pick<SigningKeySet, 'find'>,
  token: string,
): Promise<{ claims: SessionClaims; mode: Mode | undefined; endsAtMs: number }> {
  let mode: Mode | undefined;
  const findVerificationKey = async (header: { kid?: string }) => {
    const found = await keys.find(header.kid ?? '');
    if (!found) throw new AppError('unauthorized');
    mode = found.mode;
    return found.key;
  };
  try {
    const { payload } = await jwtVerify(token, findVerificationKey, EXPECTED);
    return { claims: payload as unknown as SessionClaims, mode, endsAtMs: (payload.exp ?? 0) * 1_000 };
  } catch (cause) {
    throw cause instanceof errors.JOSEError ? new AppError('unauthorized', {}, { cause }) : cause;
  }
}
