import type { RequestOf, ResponseOf, rollSecret as contract } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Loop } from '@gp/service';
import { deleteEndedSecrets, replaceSecret } from '../../db/secrets.ts';
import { endpointIdentity } from '../../db/sealed-columns.ts';
import { endpointView } from './endpoint-view.ts';
import { newSecret } from '../deliveries/sign-delivery.ts';

type Roll = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

/** A secret that is over signs nothing any more; its row need not go at that very moment. */
const REAP_MS = 10 * 60 * 1_000;

/**
 * Gives an endpoint a new secret, which is in this answer and nowhere else. The old one signs beside it until the
 * overlap ends, and so do those of earlier overlaps, but none longer than this one. Rejects with `not_found`.
 */
export function rollSecret(o: { readonly db: Db; readonly seal: Seal }): Roll {
  return async ({ id, overlap_seconds: overlapSeconds, ...scope }) => {
    const secret = newSecret();
    const { keyId, bytes: sealed } = o.seal.seal(secret, endpointIdentity(id));
    const row = await replaceSecret(o.db, scope, { id, keyId, sealed, overlapSeconds });
    if (!row) throw notFound('webhook endpoint');
    return {
      ...endpointView(row),
      secret,
      previous_secrets_end_at: row.retired_until?.toISOString() ?? null,
    };
  };
}

/** Deletes secrets whose overlap is over. */
export function reapSecrets(db: Db): Loop {
  return {
    name: 'reap-secrets',
    idleMs: REAP_MS,
    runOnce: () => deleteEndedSecrets(db).then(() => 'idle'),
  };
}
