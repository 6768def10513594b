import type { PspCode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { GatewayRow } from '../../db/gateways.ts';
import { requireMerchant } from '../account/members.ts';
import { connectGateway } from '../settings/gateways.ts';
import type { Actor, WebParts } from '../ports.ts';

/** Opens an account at the sandbox and connects it; `not_found` in an installation without a sandbox. */
export function connectSandbox(parts: WebParts): (actor: Actor, psp: PspCode) => Promise<GatewayRow> {
  const connect = connectGateway(parts);
  return async (actor, pspCode) => {
    if (!parts.sandbox) throw new AppError('not_found', { message: 'this platform has no sandbox' });
    const merchant = await requireMerchant(parts.db, actor.merchantId);
    const credentials = await parts.sandbox.open(pspCode, merchant);
    return connect(actor, { mode: 'test', pspCode, credentials });
  };
}
