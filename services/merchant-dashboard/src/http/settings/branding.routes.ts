import { readJson, type Route } from '@gp/http';
import { readBranding, readMode } from '../../app/input/input.ts';
import { findBrandColor, setBrandColor } from '../../app/settings/branding.ts';
import type { WebParts } from '../../app/ports.ts';
import type { Branding } from '../api.ts';
import { guards } from '../request/guards.ts';

/** Routes of how a merchant's checkout page looks. */
export function brandingRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const set = setBrandColor(parts);
  return [
    allowed('read', ['GET', '/api/branding'], async (request, { merchantId }) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const brand_color = await findBrandColor(parts.db, merchantId, mode);
      return { status: 200, body: { brand_color } satisfies Branding };
    }),
    allowed('branding.manage', ['PUT', '/api/branding'], async (request, actor) => {
      const brand_color = await set(actor, readBranding(readJson(request)));
      return { status: 200, body: { brand_color } satisfies Branding };
    }),
  ];
}
