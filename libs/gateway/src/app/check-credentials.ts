import type { RequestOf, ResponseOf, verifyCredentials } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Adapter } from '../adapter.ts';

type Contract = ReturnType<typeof verifyCredentials>;

/**
 * Asks the gateway whether a version of the credentials works, and records that it does; `gateway_unavailable` when it
 * cannot be asked.
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
