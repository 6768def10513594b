import {
  SESSION_SCOPES,
  SESSION_TOKEN,
  type Mode,
  type SessionClaims,
  type SessionScope,
} from '@gp/contracts';
import { AppError } from '@gp/errors';
import { errors, jwtVerify } from 'jose';
import { sessionCaller, type SessionCaller } from './caller.ts';
import type { EpochDirectory } from './epoch-directory.ts';
import type { SigningKeySet } from './signing-key-set.ts';

export type ProvenSession = { readonly caller: SessionCaller; readonly scope: readonly SessionScope[] };
export type VerifySession = (token: string) => Promise<ProvenSession>;

const { alg, typ, iss, aud } = SESSION_TOKEN;
const EXPECTED = {
  algorithms: [alg],
  typ,
  issuer: iss,
  audience: aud,
  requiredClaims: ['iat', 'exp', 'jti', 'mid', 'gp', 'mode', 'scope', 'epoch', 'limited'],
};

/**
 * Proves a session token: signed by one of our keys of its own mode, of our kind, for us, not ended, of no epoch that
 * was revoked. Rejects with `unauthorized` for everything else, never saying which part was wrong.
 */
export function verifySession(o: { keys: SigningKeySet; epochs: EpochDirectory }): VerifySession {
  return async (token) => {
    const { claims, mode } = await signedClaims(o.keys, token);
    const epoch = (await o.epochs.find(claims.gp))?.epoch ?? 0;
    if (claims.mode !== mode || claims.epoch < epoch) throw new AppError('unauthorized');
    const scope = SESSION_SCOPES.filter((name) => claims.scope.includes(name));
    return { caller: sessionCaller(claims), scope };
  };
}

/** The claims of a token, and the mode of the key that signed them. What checkout signed has the shape it promised. */
async function signedClaims(
  keys: SigningKeySet,
  token: string,
): Promise<{ claims: SessionClaims; mode: Mode | undefined }> {
  let mode: Mode | undefined;
  const keyOf = async (header: { kid?: string }) => {
    const found = await keys.find(header.kid ?? '');
    if (!found) throw new AppError('unauthorized');
    mode = found.mode;
    return found.key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, EXPECTED);
    return { claims: payload as unknown as SessionClaims, mode };
  } catch (cause) {
    throw cause instanceof errors.JOSEError ? new AppError('unauthorized', {}, { cause }) : cause;
  }
}
