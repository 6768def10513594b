import type { putCredentials, RequestOf, ResponseOf } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Adapter } from '../adapter.ts';

/** Stored versions begin at 1. */
const NOT_STORED = 0;

type Contract = ReturnType<typeof putCredentials>;

/**
 * Stores a merchant's credentials after the gateway has verified them. Credentials that the gateway refuses are not
 * stored: a validation error names the field. When the gateway does not answer, they are stored and stay unused until a
 * later check confirms them. `deadline`: of the caller, epoch ms.
 */
export function enterCredentials<C>(
  adapter: Adapter<C>,
): (request: RequestOf<Contract>, o: { readonly deadline: number }) => Promise<ResponseOf<Contract>> {
  const { accounts, calls } = adapter;
  return async ({ merchant_id: merchantId, mode, credentials: entered }, { deadline }) => {
    const scope = { merchantId, mode };
    const credentials = accounts.check(entered, mode);
    const verdict = await calls.verify({ ...scope, version: NOT_STORED, credentials }, deadline);
    if (verdict.kind === 'invalid') throw validationError(verdict.param, verdict.reason);
    const stored = await accounts.put(scope, credentials, { isVerified: verdict.kind === 'valid' });
    return { version: stored.version, verified: stored.isVerified };
  };
}
