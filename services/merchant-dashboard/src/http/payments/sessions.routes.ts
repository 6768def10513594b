import { readJson, type Route } from '@gp/http';
import { revokeGroupSessions, rollCheckoutLink } from '../../app/payments/group-sessions.ts';
import { readEmpty, readMode } from '../../app/input/input.ts';
import type { WebParts } from '../../app/ports.ts';
import type { RolledCheckoutLink } from '../api.ts';
import { readOptionalBody } from '../request/body.ts';
import { guards } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode } from '../request/per-mode.ts';
import { readIdempotencyKey } from './group-payments.routes.ts';

const NOUN = 'group payment';

/** Routes of what payers' browsers hold: a group payment's checkout link and its session tokens. */
export function sessionRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const revoke = revokeGroupSessions(parts);
  const roll = rollCheckoutLink(parts);
  return [
    allowed(
      'sessions.revoke',
      ['POST', '/api/group-payments/:id/revoke-sessions'],
      async (request, actor) => {
        const { mode } = readMode(readJson(request));
        const groupId = pathId(request, NOUN);
        return { status: 200, body: await revoke(actor, { mode, groupId }) };
      },
    ),
    ...perMode(({ mode, at }) => [
      allowed(
        'sessions.revoke',
        ['POST', at('group-payments/:id/roll-checkout-link')],
        async (request, actor) => {
          const groupId = pathId(request, NOUN);
          readOptionalBody(request, readEmpty);
          const { page_token } = await roll(actor, { mode, groupId, key: readIdempotencyKey(request) });
          const body: RolledCheckoutLink = { checkout_url: `${parts.addresses.checkout}/c/${page_token}` };
          return { status: 200, body };
        },
      ),
    ]),
  ];
}
