import { readJson, type Route } from '@gp/http';
import { readMode, readOrigins } from '../../app/input/input.ts';
import { setOrigins } from '../../app/settings/origins.ts';
import { listOrigins } from '../../app/settings/list-settings.ts';
import { noticeOwners } from '../../app/mail/notices.ts';
import type { WebParts } from '../../app/ports.ts';
import { guards } from '../request/guards.ts';

/** Routes of the web origins whose pages may use a merchant's session tokens. */
export function originRoutes(parts: WebParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const set = setOrigins(parts);
  const notice = noticeOwners(parts);
  return [
    allowed('read', ['GET', '/api/origins'], async (request, user) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      return { status: 200, body: { origins: await listOrigins(parts.db, user.merchantId, mode) } };
    }),
    proved('keys.manage', ['PUT', '/api/origins'], async (request, actor) => {
      const entered = readOrigins(readJson(request));
      const origins = await set(actor, entered);
      await notice(actor, entered.mode, 'origins.changed');
      return { status: 200, body: { origins } };
    }),
  ];
}
