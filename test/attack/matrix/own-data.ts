import type { Json } from '../../support/api.ts';
import { openRequests } from '../../support/requests.ts';
import type { World } from './world.ts';

/** Returns the fields of a list that stay the same unless a request changes them. */
const pick = (list: unknown, ...fields: string[]) =>
  (list as Json[]).map((item) => fields.map((field) => item[field]));

/** Reads the first merchant's data that a stranger's request could have changed. */
export async function readOwnData({ stack, dashboard, mine }: World): Promise<unknown> {
  const read = async (path: string) => (await dashboard.ask(mine.owner, 'GET', path)).body;
  const things = async (mode: 'test' | 'live', key: string) => {
    const server = openRequests(stack.api, key);
    const { group, hook } = mine[mode];
    const { deliveries } = (await server.get(`/v1/webhooks/${hook.id}/deliveries?limit=100`)).body;
    return {
      group: (await server.get(`/v1/group-payments/${group.group_payment.id}`)).body,
      hooks: (await server.get('/v1/webhooks')).body,
      deliveries: pick(deliveries, 'id'),
      keys: pick((await read(`/api/keys?mode=${mode}`))['keys'], 'id', 'revoked_at', 'ends_at'),
      gateways: pick((await read(`/api/gateways?mode=${mode}`))['gateways'], 'psp_code', 'version', 'active'),
      branding: await read(`/api/branding?mode=${mode}`),
      origins: await read(`/api/origins?mode=${mode}`),
    };
  };
  const { members, invitations, requires_second_factor } = await read('/api/team');
  return {
    test: await things('test', mine.merchant.test_key),
    live: await things('live', mine.merchant.live_key),
    business_name: (await read('/api/me'))['merchant_name'],
    members: pick(members, 'id', 'role'),
    invitations: pick(invitations, 'id'),
    requires_second_factor,
  };
}
