import { readJson, type Route } from '@gp/http';
import {
  revokeGroupSessions,
  rollCheckoutLink,
  rollOrganiserLink,
} from '../../app/payments/group-sessions.ts';
import { readEmpty, readMode } from '../../app/input/input.ts';
import type { MoneyAct } from '../../app/payments/move-money.ts';
import { mayHoldOrganisersLink } from '../../domain/roles.ts';
import type { WebParts } from '../../app/ports.ts';
import type { RolledCheckoutLink, RolledOrganiserLink } from '../api.ts';
import { readOptionalBody } from '../request/body.ts';
import { guards, type Member } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, type AtMode } from '../request/per-mode.ts';
import { readIdempotencyKey } from './group-payments.routes.ts';

const NOUN = 'group payment';

/** Routes of what gives access to a group payment without an account: its links and its session tokens. */
export function sessionRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const revoke = revokeGroupSessions(parts);
  const rollPage = rollCheckoutLink(parts);
  const rollOrganiser = rollOrganiserLink(parts);
  const rollRoute = (
    { mode, at }: AtMode,
    name: string,
    replace: (member: Member, act: MoneyAct) => Promise<object>,
  ): Route =>
    allowed('sessions.revoke', ['POST', at(`group-payments/:id/${name}`)], async (request, member) => {
      const groupId = pathId(request, NOUN);
      readOptionalBody(request, readEmpty);
      return {
        status: 200,
        body: await replace(member, { mode, groupId, key: readIdempotencyKey(request) }),
      };
    });
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
    ...perMode((place) => [
      rollRoute(place, 'roll-checkout-link', async (member, act): Promise<RolledCheckoutLink> => {
        const { page_token } = await rollPage(member, act);
        return { checkout_url: `${parts.addresses.checkout}/c/${page_token}` };
      }),
      rollRoute(place, 'roll-organiser-link', async (member, act): Promise<RolledOrganiserLink> => {
        const { token } = await rollOrganiser(member, act);
        return mayHoldOrganisersLink(member)
          ? { organiser_url: `${parts.addresses.checkout}/o/${token}` }
          : {};
      }),
    ]),
  ];
}
