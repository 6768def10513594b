import type { HttpResponse, Route } from '@gp/http';
import { addPasskey, beginPasskey, listPasskeys, removePasskey } from '../../app/account/passkeys.ts';
import { beginPasskeyLogin, logInByPasskey } from '../../app/account/passkey-login.ts';
import type { WebParts } from '../../app/ports.ts';
import { findRelyingParty } from '../../domain/relying-party.ts';
import type * as api from '../api.ts';
import { readBody, readOptionalBody } from '../request/body.ts';
import { readFrom } from '../request/cookie.ts';
import { guards } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { readEmpty } from '../../app/input/input.ts';
import { showLogin } from './account.routes.ts';
import { readNewPasskey, readPasskeyAnswer } from './passkeys.input.ts';

const AT = '/api/profile/passkeys';
const ok = (body: unknown): HttpResponse => ({ status: 200, body });

/** Routes of a user's passkeys, and the login by them. */
export function passkeyRoutes(parts: WebParts): Route[] {
  return [...ownPasskeyRoutes(parts), ...loginRoutes(parts)];
}

function ownPasskeyRoutes(parts: WebParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const begin = beginPasskey(parts);
  const add = addPasskey(parts);
  const remove = removePasskey(parts);
  return [
    allowed('account.manage', ['GET', AT], async (_request, member) => {
      const passkeys = (await listPasskeys(parts, member)).map((row): api.Passkey => ({
        id: row.id,
        name: row.name,
        is_synced: row.is_synced,
        created_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
      }));
      const body: api.Passkeys = { passkeys, origin: findRelyingParty(parts.addresses.dashboard).origin };
      return ok(body);
    }),
    proved('account.manage', ['POST', `${AT}/options`], async (request, member) => {
      readOptionalBody(request, readEmpty);
      return ok(await begin(member));
    }),
    proved('account.manage', ['POST', AT], async (request, member) => ({
      status: 201,
      body: { id: await add(member, readBody(request, readNewPasskey)) },
    })),
    proved('account.manage', ['DELETE', `${AT}/:id`], async (request, member) => {
      await remove(member, pathId(request, 'passkey'));
      return ok({});
    }),
  ];
}

function loginRoutes(parts: WebParts): Route[] {
  const { anyone } = guards(parts.db);
  const begin = beginPasskeyLogin(parts);
  const logIn = logInByPasskey(parts);
  return [
    anyone(['POST', '/api/login/passkey/options'], async (request) => {
      readOptionalBody(request, readEmpty);
      return ok(await begin(request.remoteAddress));
    }),
    anyone(['POST', '/api/login/passkey'], async (request) =>
      showLogin(await logIn(readBody(request, readPasskeyAnswer).response, readFrom(request))),
    ),
  ];
}
