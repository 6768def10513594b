import type { Mode } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { readJson, type Route } from '@gp/http';
import { readBranding, readLogoChange, readMode } from '../../app/input/input.ts';
import { findBrand, setBrandColor } from '../../app/settings/branding.ts';
import { findLogoFile, setLogo } from '../../app/settings/logo.ts';
import type { WebParts } from '../../app/ports.ts';
import type { Branding } from '../api.ts';
import { guards } from '../request/guards.ts';

/** A name stands for its bytes. */
const FOR_EVER = 'private, max-age=31536000, immutable';

/** Routes of how a merchant's checkout page looks. */
export function brandingRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const setColor = setBrandColor(parts);
  const changeLogo = setLogo(parts);
  const answer = async (merchantId: string, mode: Mode) => ({
    status: 200,
    body: (await findBrand(parts.db, merchantId, mode)) satisfies Branding,
  });
  return [
    allowed('read', ['GET', '/api/branding'], async (request, { merchantId }) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      return answer(merchantId, mode);
    }),
    allowed('branding.manage', ['PUT', '/api/branding'], async (request, actor) => {
      const entered = readBranding(readJson(request));
      await setColor(actor, entered);
      return answer(actor.merchantId, entered.mode);
    }),
    allowed('branding.manage', ['PUT', '/api/branding/logo'], async (request, actor) => {
      const entered = readLogoChange(readJson(request));
      await changeLogo(actor, entered);
      return answer(actor.merchantId, entered.mode);
    }),
    allowed('read', ['GET', '/api/logos/:file'], async ({ params: { file = '' } }, { merchantId }) => {
      const found = await findLogoFile(parts.db, merchantId, file);
      if (!found) throw notFound('logo');
      return {
        status: 200,
        headers: { 'Cache-Control': FOR_EVER },
        contentType: found.type,
        body: found.content,
      };
    }),
  ];
}
