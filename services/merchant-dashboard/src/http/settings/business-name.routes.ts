import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed, Name } from '../../app/input/input.ts';
import { reader } from '../../app/input/reader.ts';
import { noticeRename } from '../../app/mail/notices.ts';
import { renameBusiness } from '../../app/settings/rename-business.ts';
import type { WebParts } from '../../app/ports.ts';
import type { BusinessName } from '../api.ts';
import { readBody } from '../request/body.ts';
import { guards } from '../request/guards.ts';

const readName = reader(Type.Object({ business_name: Name }, closed));

/** The route of the name that payers read as the payee; `GET /api/me` shows it. */
export function businessNameRoutes(parts: WebParts): Route[] {
  const { proved } = guards(parts.db);
  const rename = renameBusiness(parts);
  const notice = noticeRename(parts);
  return [
    proved('business_name.manage', ['PUT', '/api/business-name'], async (request, actor) => {
      const business_name = readBody(request, readName).business_name.trim();
      if (await rename(actor, business_name)) await notice(actor);
      return { status: 200, body: { business_name } satisfies BusinessName };
    }),
  ];
}
