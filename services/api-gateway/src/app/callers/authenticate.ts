import { parseApiKeyMode, publicApi, type ApiKeyRecord, type Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { VerifyToken } from '@gp/http';
import { toSessionCaller, type Caller } from './caller.ts';
import { assertKeyAllows, isExpired } from './key-limits.ts';
import type { KeyDirectory } from '../directories/key-directory.ts';

// A session token has some 600 characters.
const BEARER = /^Bearer +([\x21-\x7e]{1,2048})$/i;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** The parts of a request that identify its sender. */
export type Credentials = {
  readonly authorization?: string | undefined;
  readonly origin?: string | undefined;
  /** Whether a page of the API's own host sent it: the reference, where a reader tries operations with a test key. */
  readonly isFromOwnPage?: boolean | undefined;
  /** The sender's network address. */
  readonly address?: string | undefined;
  /** Called with what is known of a live credential, before it is refused for what it may not do. */
  readonly note?: ((notes: Readonly<Record<string, string>>) => void) | undefined;
};
export type Access = Pick<publicApi.Operation, 'accepts' | 'sessionScope' | 'method' | 'tag'>;
export type Authenticate = (credentials: Credentials, access: Access) => Promise<Caller>;

/**
 * Authenticates the caller. Rejects with `unauthorized` when the credential is not live, without a look-up when
 * its checksum or form is wrong, and with `insufficient_scope` when the credential does not allow the operation.
 */
export function authenticate(o: {
  keys: Pick<KeyDirectory, 'find'>;
  computeDigests: (key: string) => readonly string[];
  verifyToken: VerifyToken;
  /** Called for a live secret key that a browser sent: the key stands in a page (Q29). */
  onExposure: (key: ApiKeyRecord, origin: string) => void;
  /** Called for every live secret key that was used. */
  onUse: (key: ApiKeyRecord, address: string) => void;
}): Authenticate {
  const bySecretKey = async (key: string, mode: Mode): Promise<ApiKeyRecord> => {
    for (const digest of o.computeDigests(key)) {
      const record = await o.keys.find(digest);
      if (!record) continue;
      if (record.revoked_at !== null || record.mode !== mode || isExpired(record)) break;
      return record;
    }
    throw new AppError('unauthorized', { hint: UNKNOWN_KEY });
  };

  return async (credentials, { accepts, sessionScope, method, tag }) => {
    const { authorization, origin, isFromOwnPage = false, address = '', note } = credentials;
    const text = BEARER.exec(authorization ?? '')?.[1];
    if (text === undefined) throw new AppError('unauthorized', { hint: explainHeader(authorization) });
    const mode = parseApiKeyMode(text);
    if (mode !== undefined) {
      const key = await bySecretKey(text, mode);
      note?.({ merchant_id: key.merchant_id, mode, key_id: key.key_id });
      if (origin !== undefined && !(isFromOwnPage && mode === 'test')) o.onExposure(key, origin);
      assertKeyAllows(key, { address, scope: publicApi.findKeyScope({ method, tag }) });
      o.onUse(key, address);
      if (!accepts.includes('secret_key')) throw new AppError('insufficient_scope');
      return { kind: 'secret_key', merchantId: key.merchant_id, mode, principal: 'secret' };
    }
    if (!TOKEN.test(text)) throw new AppError('unauthorized', { hint: explainCredential(text) });
    const { claims, scope } = await o.verifyToken(text);
    note?.({ merchant_id: claims.mid, mode: claims.mode });
    const isAllowed = accepts.includes('session_token') && sessionScope && scope.includes(sessionScope);
    if (!isAllowed) throw new AppError('insufficient_scope');
    return toSessionCaller(claims);
  };
}

/** Tells what is wrong with the form of the header. */
function explainHeader(authorization = ''): string {
  if (authorization === '')
    return 'the header Authorization is missing: send Authorization: Bearer <secret key>';
  if (!/^Bearer( |$)/i.test(authorization))
    return 'the header Authorization does not begin with Bearer: send Authorization: Bearer <secret key>';
  return 'the header Authorization must have one key after Bearer, and nothing else';
}

/** Says the same of every key of the right form that opens nothing, so that nobody learns whether it exists. */
const UNKNOWN_KEY =
  'the secret key has the right form, but is not known at this installation, was revoked, or has expired: compare it with the keys in the dashboard';

/** Returns what is wrong with the form of a credential. */
function explainCredential(text: string): string {
  return /^sk_(test|live)_/.test(text)
    ? 'the secret key is mistyped or not complete: its checksum is wrong'
    : 'this is neither a secret key, which begins with sk_test_ or sk_live_, nor a session token';
}
