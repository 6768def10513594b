import type { HttpResponse, Route } from '@gp/http';
import { changePassword, proveAgain } from '../../app/account/log-in.ts';
import { describeMember } from '../../app/account/members.ts';
import type { WebParts } from '../../app/ports.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  describeSecondFactor,
} from '../../app/account/second-factor.ts';
import { listPasskeys } from '../../app/account/passkeys.ts';
import { beginPasskeyProof, proveByPasskey } from '../../app/account/passkey-proof.ts';
import { endOneSession, endOtherSessions, listSessions } from '../../app/account/sessions.ts';
import { listGrantableScopes } from '../../domain/key-scopes.ts';
import { listPermissions } from '../../domain/roles.ts';
import { readCode, readPasswordChange, readProof } from './account.input.ts';
import { readPasskeyAnswer } from './passkeys.input.ts';
import type * as api from '../api.ts';
import { readEmpty } from '../../app/input/input.ts';
import { readBody, readOptionalBody } from '../request/body.ts';
import { readSessionSecret, sessionCookie } from '../request/cookie.ts';
import { guards, type Member } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { readPlace } from '../request/place.ts';

const ok = (body: unknown): HttpResponse => ({ status: 200, body });

/** Routes by which users change their own account, whatever their role. */
export function profileRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const prove = proveAgain(parts);
  const change = changePassword(parts);
  return [
    allowed('account.manage', ['GET', '/api/me'], async (_request, member) =>
      ok(await meView(parts, member)),
    ),
    allowed('account.manage', ['POST', '/api/reauthenticate'], async (request, member) => {
      const until = await prove(member, readBody(request, readProof));
      return ok({ proved_until: until.toISOString() });
    }),
    ...passkeyProofRoutes(parts),
    allowed('account.manage', ['PUT', '/api/profile/password'], async (request, member) => {
      const { current_password: current, password: wanted } = readBody(request, readPasswordChange);
      const from = { place: readPlace(request), previous: readSessionSecret(request) };
      const secret = await change(member, { current, wanted }, from);
      return { status: 200, headers: { 'set-cookie': sessionCookie(secret) }, body: {} };
    }),
    ...ownSessionRoutes(parts),
    ...secondFactorRoutes(parts),
  ];
}

function passkeyProofRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const begin = beginPasskeyProof(parts);
  const prove = proveByPasskey(parts);
  const at = '/api/reauthenticate/passkey';
  return [
    allowed('account.manage', ['POST', `${at}/options`], async (request, member) => {
      readOptionalBody(request, readEmpty);
      return ok(await begin(member));
    }),
    allowed('account.manage', ['POST', at], async (request, member) => {
      const until = await prove(member, readBody(request, readPasskeyAnswer).response);
      return ok({ proved_until: until.toISOString() });
    }),
  ];
}

function ownSessionRoutes({ db }: WebParts): Route[] {
  const { allowed } = guards(db);
  return [
    allowed('account.manage', ['GET', '/api/profile/sessions'], async (_request, member) => {
      const sessions = (await listSessions(db, member)).map((row): api.SessionItem => ({
        id: row.id,
        created_at: row.created_at.toISOString(),
        last_seen_at: row.last_seen_at.toISOString(),
        address: row.address,
        user_agent: row.user_agent,
        is_this: row.id === member.sessionId,
      }));
      return ok({ sessions });
    }),
    allowed('account.manage', ['DELETE', '/api/profile/sessions'], async (_request, member) => {
      await endOtherSessions(db, member);
      return ok({});
    }),
    allowed('account.manage', ['DELETE', '/api/profile/sessions/:id'], async (request, member) => {
      await endOneSession(db, member, pathId(request, 'session'));
      return ok({});
    }),
  ];
}

function secondFactorRoutes(parts: WebParts): Route[] {
  const { proved } = guards(parts.db);
  const begin = beginSecondFactor(parts);
  const confirm = confirmSecondFactor(parts);
  const renew = renewRecoveryCodes(parts);
  const remove = removeSecondFactor(parts);
  const at = '/api/profile/second-factor';
  return [
    proved('account.manage', ['POST', at], async (_request, member) => ({
      status: 201,
      body: await begin(member),
    })),
    proved('account.manage', ['POST', `${at}/confirm`], async (request, member) =>
      ok({ recovery_codes: await confirm(member, readBody(request, readCode).code) }),
    ),
    proved('account.manage', ['POST', `${at}/recovery-codes`], async (_request, member) =>
      ok({ recovery_codes: await renew(member) }),
    ),
    proved('account.manage', ['DELETE', at], async (_request, member) => {
      await remove(member);
      return ok({});
    }),
  ];
}

async function meView(parts: WebParts, member: Member): Promise<api.Me> {
  const [described, factor, passkeys] = await Promise.all([
    describeMember(parts.db, member),
    describeSecondFactor(parts, member.id),
    listPasskeys(parts, member),
  ]);
  return {
    ...described,
    permissions: listPermissions(member.role),
    has_second_factor: factor.isOn,
    has_passkey: passkeys.length > 0,
    recovery_codes_left: factor.codesLeft,
    proved_until: member.provedUntil.toISOString(),
    must_add_second_factor: member.lacksSecondFactor,
    key_scopes: listGrantableScopes(member.role),
    mailbox: parts.mailbox && '/mailbox',
  };
}
