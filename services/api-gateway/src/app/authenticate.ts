import { modeOfApiKey, type publicApi } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Caller } from './caller.ts';
import type { KeyDirectory } from './key-directory.ts';

const BEARER = /^Bearer +([\x21-\x7e]{1,512})$/i;

export type Authenticate = (
  authorization: string | undefined,
  accepts: readonly publicApi.CredentialKind[],
) => Promise<Caller>;

/**
 * Finds out who is asking. Rejects with `unauthorized` for whatever is no live credential, without a look-up when
 * its checksum is wrong, and with `insufficient_scope` for one the operation does not accept.
 */
export function authenticate(o: {
  keys: KeyDirectory;
  digestsOf: (key: string) => readonly string[];
}): Authenticate {
  return async (authorization, accepts) => {
    const key = BEARER.exec(authorization ?? '')?.[1];
    const mode = key === undefined ? undefined : modeOfApiKey(key);
    if (key === undefined || mode === undefined) throw new AppError('unauthorized');
    for (const digest of o.digestsOf(key)) {
      const record = await o.keys.find(digest);
      if (!record) continue;
      if (record.revoked_at !== null || record.mode !== mode) break;
      if (!accepts.includes('secret_key')) throw new AppError('insufficient_scope');
      return { kind: 'secret_key', merchantId: record.merchant_id, mode, principal: 'secret' };
    }
    throw new AppError('unauthorized');
  };
}
