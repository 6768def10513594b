import { readJson, type Route } from '@gp/http';
import { readMode, readOrganiserRights } from '../../app/input/input.ts';
import { findOrganiserRights, setOrganiserRights } from '../../app/settings/organiser-rights.ts';
import type { WebParts } from '../../app/ports.ts';
import type { UsualOrganiser } from '../api.ts';
import { guards } from '../request/guards.ts';

/** Routes of what organisers may do of payments that are created without saying so. */
export function organiserRightRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const set = setOrganiserRights(parts);
  return [
    allowed('read', ['GET', '/api/organiser-rights'], async (request, { merchantId }) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const organiser_rights = await findOrganiserRights(parts.db, merchantId, mode);
      return { status: 200, body: { organiser_rights } satisfies UsualOrganiser };
    }),
    allowed('branding.manage', ['PUT', '/api/organiser-rights'], async (request, actor) => {
      const entered = readOrganiserRights(readJson(request));
      await set(actor, entered);
      return { status: 200, body: { organiser_rights: entered.organiser_rights } satisfies UsualOrganiser };
    }),
  ];
}
