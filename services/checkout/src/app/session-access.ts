import { AppError } from '@gp/errors';
import type { Db } from '@gp/pg';
import { signingKeySet, verifyToken, type ProvenToken } from '@gp/http';
import { epochOfGroup } from '../db/sessions.ts';
import { listPublicKeys } from '../db/signing-keys.ts';

// A session token has some 600 characters.
const BEARER = /^Bearer +([\w-]{1,1024}\.[\w-]{1,2048}\.[\w-]{1,512})$/i;

/** Authenticates payers' browsers. */
export type SessionAccess = {
  /** Verifies the token of an Authorization header; rejects with `unauthorized` for all that is no live token. */
  prove(authorization: string | undefined): Promise<ProvenToken & { readonly token: string }>;
  /** Returns true while a token is valid: its key may have been withdrawn, its group's tokens revoked. */
  isGood(token: string): Promise<boolean>;
  /** Drops the cached signing keys; called when keys were published or withdrawn. */
  clearKeys(): void;
};

/** Verifies tokens against our own tables: the keys we publish and the epochs we raise. */
export function sessionAccess(db: Db): SessionAccess {
  const keys = signingKeySet({ ask: async () => ({ keys: await listPublicKeys(db) }) });
  const verify = verifyToken({ keys, findEpoch: (groupId) => epochOfGroup(db, groupId) });
  return {
    async prove(authorization) {
      const token = BEARER.exec(authorization ?? '')?.[1];
      if (token === undefined) throw new AppError('unauthorized');
      const proven = await verify(token);
      if (!proven.scope.includes('read')) throw new AppError('insufficient_scope');
      return { ...proven, token };
    },
    isGood: (token) =>
      verify(token).then(
        () => true,
        // A failed look-up does not invalidate the token.
        (error: unknown) => !(error instanceof AppError && error.code === 'unauthorized'),
      ),
    clearKeys: () => keys.clear(),
  };
}
