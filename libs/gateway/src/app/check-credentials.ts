import type { RequestOf, ResponseOf, verifyCredentials } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Adapter } from '../adapter.ts';

type Contract = ReturnType<typeof verifyCredentials>;

/**
 * Verifies a version of the credentials at the gateway, and records that it works; `gateway_unavailable` when the gateway
 * does not answer.
 */
export function checkCredentials<C>(
  adapter: Adapter<C>,
): (request: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async ({ merchant_id: merchantId, mode, version }) => {
    const account = await adapter.accounts.get({ merchantId, mode, version });
    const answer = await adapter.calls.verify(account);
    switch (answer.kind) {
      case 'valid':
        await adapter.accounts.markVerified({ merchantId, mode, version });
        return { valid: true, reason: null };
      case 'invalid':
        return { valid: false, reason: answer.reason };
      case 'unknown':
        throw new AppError('gateway_unavailable');
    }
  };
}
