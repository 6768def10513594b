import type { Route } from '@gp/http';
import { listGateways, listKeys } from '../../app/settings/list-settings.ts';
import type { WebParts } from '../../app/ports.ts';
import type { Setup } from '../api.ts';
import { guards } from '../request/guards.ts';
import { perMode, toScope } from '../request/per-mode.ts';

/** Routes that report a merchant's progress, for pages that show the next step. */
export function setupRoutes({ db, services, addresses }: WebParts): Route[] {
  const { allowed } = guards(db);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('setup')], async (_request, member) => {
      const scope = toScope(member, mode);
      const [keys, gateways, groups, webhooks] = await Promise.all([
        listKeys(db, member.merchantId, mode),
        listGateways(db, member.merchantId, mode),
        services.listGroups({ ...scope, limit: 1, offset: 0 }),
        services.listEndpoints(scope),
      ]);
      const body: Setup = {
        has_key: keys.some(({ row }) => row.revokedAt === null),
        active_gateway: gateways.find(({ active }) => active)?.pspCode ?? null,
        has_group_payment: groups.total > 0,
        has_webhook: webhooks.endpoints.length > 0,
        api_url: addresses.api,
        checkout_url: addresses.checkout,
        sandbox_url: addresses.sandbox,
      };
      return { status: 200, body };
    }),
  ]);
}
