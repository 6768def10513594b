import { readJson, type Route } from '@gp/http';
import { readMode, readOrigins } from '../../app/input/input.ts';
import { setOrigins } from '../../app/settings/origins.ts';
import { listOrigins } from '../../app/payments/overview.ts';
import type { DashboardParts } from '../../app/ports.ts';
import { guards } from '../request/guards.ts';

/** Routes of the web origins whose pages may use a merchant's session tokens. */
export function originRoutes(parts: DashboardParts): Route[] {
  const { allowed } = guards(parts.db);
  const set = setOrigins(parts);
  return [
    allowed('read', ['GET', '/api/origins'], async (request, user) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      return { status: 200, body: { origins: await listOrigins(parts.db, user.merchantId, mode) } };
    }),
    allowed('keys.manage', ['PUT', '/api/origins'], async (request, actor) => ({
      status: 200,
      body: { origins: await set(actor, readOrigins(readJson(request))) },
    })),
  ];
}
