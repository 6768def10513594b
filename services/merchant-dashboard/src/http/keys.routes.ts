import { readJson, type Route } from '@gp/http';
import { createApiKey, revokeApiKey } from '../app/api-keys.ts';
import { readMode, readNewKey } from '../app/input.ts';
import { listKeys } from '../app/overview.ts';
import type { DashboardParts } from '../app/ports.ts';
import { guards } from './guards.ts';
import { pathId } from './path-id.ts';
import { keyView, listedKeyView } from './views.ts';

/** A merchant's API keys. */
export function keyRoutes(parts: DashboardParts): Route[] {
  const { member, manager } = guards(parts.db);
  const create = createApiKey(parts);
  const revoke = revokeApiKey(parts);
  return [
    member(['GET', '/api/keys'], async (request, user) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const keys = await listKeys(parts.db, user.merchantId, mode);
      return { status: 200, body: { keys: keys.map(listedKeyView) } };
    }),
    manager(['POST', '/api/keys'], async (request, actor) => {
      const { row, key } = await create(actor, readNewKey(readJson(request)));
      return { status: 201, body: { ...keyView(row), key } };
    }),
    manager(['DELETE', '/api/keys/:id'], async (request, actor) => {
      const id = pathId(request, 'API key');
      return { status: 200, body: keyView(await revoke(actor, id)) };
    }),
  ];
}
