import type { HttpResponse, Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import { queryReader } from '../../app/input/reader.ts';
import type { WebParts } from '../../app/ports.ts';
import { enterOnDevice } from '../../app/account/log-in.ts';
import { noticeTeam } from '../../app/mail/notices.ts';
import * as team from '../../app/team/team.ts';
import {
  readInvitation,
  readRemoval,
  readReset,
  readRole,
  readRule,
  readToken,
} from '../account/account.input.ts';
import type * as api from '../api.ts';
import { readBody } from '../request/body.ts';
import { buildCookies, readFrom } from '../request/cookie.ts';
import { guards, type Member } from '../request/guards.ts';
import { ListFormat, sendFiles } from '../request/list-file.ts';
import { pathId } from '../request/path-id.ts';

const readFormat = queryReader(Type.Object({ format: ListFormat }, closed));
const COLUMNS = [
  'email',
  'role',
  'status',
  'has_second_factor',
  'joined_at',
  'last_seen_at',
  'live_keys',
  'invited_by',
  'invited_at',
  'invitation_ends_at',
] as const;

const ok = (body: unknown): HttpResponse => ({ status: 200, body });

/** Routes of a merchant's team: members, roles and invitations. */
export function teamRoutes(parts: WebParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const invite = team.invite(parts);
  const withdraw = team.withdrawInvitation(parts);
  const changeRole = team.changeRole(parts);
  const remove = team.removeMember(parts);
  const demand = team.demandSecondFactor(parts);
  const sendFile = sendFiles(parts);
  const notice = noticeTeam(parts);
  return [
    allowed('read', ['GET', '/api/team'], async (_request, member) => ok(await teamView(parts, member))),
    allowed('read', ['GET', '/api/team/export'], async (request, member) => {
      const { format } = readFormat(request.query);
      const pages = readPeople(parts, member);
      return sendFile(request, member, { name: 'team', format, columns: COLUMNS, pages });
    }),
    proved('team.manage', ['POST', '/api/team/invitations'], async (request, member) => {
      const invited = await invite(member, readBody(request, readInvitation));
      await notice(member, 'team.invited');
      return { status: 201, body: invitationView(invited) };
    }),
    allowed('team.manage', ['DELETE', '/api/team/invitations/:id'], async (request, member) => {
      await withdraw(member, pathId(request, 'invitation'));
      return ok({});
    }),
    proved('team.manage', ['PUT', '/api/team/members/:id'], async (request, member) => {
      const id = pathId(request, 'user');
      await changeRole(member, id, readBody(request, readRole).role);
      await notice(member, 'team.role_changed');
      return ok({});
    }),
    proved('team.manage', ['DELETE', '/api/team/members/:id'], async (request, member) => {
      const { end_keys } = readRemoval(Object.fromEntries(request.query));
      await remove(member, pathId(request, 'user'), { endKeys: end_keys === 'true' });
      await notice(member, 'team.removed');
      return ok({});
    }),
    proved('team.rule', ['PUT', '/api/team/second-factor'], async (request, member) => {
      await demand(member, { isRequired: readBody(request, readRule).required });
      await notice(member, 'team.rule_changed');
      return ok({});
    }),
    ...invitationRoutes(parts),
  ];
}

/** Routes for holders of an invitation's link. */
function invitationRoutes(parts: WebParts): Route[] {
  const { anyone } = guards(parts.db);
  const look = team.lookAtInvitation(parts);
  const accept = team.acceptInvitation(parts);
  const enter = enterOnDevice(parts);
  return [
    anyone(['POST', '/api/invitations/look'], async (request) => {
      const { merchant_name, email, role } = await look(
        readBody(request, readToken).token,
        request.remoteAddress,
      );
      return ok({ merchant_name, email, role } satisfies api.InvitationOffer);
    }),
    anyone(['POST', '/api/invitations/accept'], async (request) => {
      const { token: secret, password } = readBody(request, readReset);
      const user = await accept({ secret, password }, request.remoteAddress);
      const cookies = buildCookies(await enter(user, readFrom(request)));
      return { status: 201, headers: { 'set-cookie': cookies }, body: { merchant_id: user.merchantId } };
    }),
  ];
}

async function teamView(parts: WebParts, member: Member): Promise<api.Team> {
  const { members, invitations, requiresSecondFactor } = await team.findTeam(parts, member.merchantId);
  return {
    members: members.map((row) => ({
      id: row.id,
      email: row.email,
      role: row.role,
      has_second_factor: row.has_second_factor,
      joined_at: row.created_at.toISOString(),
      last_seen_at: row.last_seen_at?.toISOString() ?? null,
      live_keys: Number(row.live_keys),
      is_you: row.id === member.id,
    })),
    invitations: invitations.map(invitationView),
    requires_second_factor: requiresSecondFactor,
  };
}

/** A member of the team, or somebody who was invited and has not joined. */
type Person = Readonly<Record<(typeof COLUMNS)[number], string | number | boolean | null>>;

/** Yields the team as one page: all of it is on one screen, too. */
async function* readPeople(parts: WebParts, member: Member): AsyncGenerator<Person[]> {
  const { members, invitations } = await teamView(parts, member);
  const nothing = Object.fromEntries(COLUMNS.map((name) => [name, null])) as Person;
  yield [
    ...members.map(({ id: _id, is_you: _isYou, ...row }) => ({ ...nothing, ...row, status: 'member' })),
    ...invitations.map(({ email, role, invited_by, created_at, expires_at }) => ({
      ...nothing,
      ...{ email, role, status: 'invited', invited_by },
      invited_at: created_at,
      invitation_ends_at: expires_at,
    })),
  ];
}

function invitationView(row: team.Invited): api.Invitation {
  const { id, email, role, invited_by } = row;
  const created_at = row.created_at.toISOString();
  return { id, email, role, invited_by, created_at, expires_at: row.expires_at.toISOString() };
}
