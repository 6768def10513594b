import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routes } from '../src/http/routes.ts';
import { may, mayAssign, ROLES, type Permission, type Role } from '../src/domain/roles.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { refuseEverything } from './support/refuse-everything.ts';

/** The role that every route needs, written a second time: a route that is missing here fails the test below. */
const ANYONE = [
  'POST /api/signup',
  'POST /api/signup/confirm',
  'POST /api/login',
  'POST /api/login/second-factor',
  'POST /api/login/passkey/options',
  'POST /api/login/passkey',
  'POST /api/logout',
  'POST /api/password-reset',
  'POST /api/password-reset/confirm',
  'POST /api/invitations/look',
  'POST /api/invitations/accept',
];
const perMode = (lines: readonly string[]) =>
  ['test', 'live'].flatMap((mode) => lines.map((line) => line.replace('{mode}', mode)));
const NEEDS: Readonly<Record<Permission, readonly string[]>> = {
  'account.manage': [
    'GET /api/me',
    'POST /api/reauthenticate',
    'POST /api/reauthenticate/passkey/options',
    'POST /api/reauthenticate/passkey',
    'PUT /api/profile/password',
    'GET /api/profile/sessions',
    'DELETE /api/profile/sessions',
    'DELETE /api/profile/sessions/:id',
    'POST /api/profile/second-factor',
    'POST /api/profile/second-factor/confirm',
    'POST /api/profile/second-factor/recovery-codes',
    'DELETE /api/profile/second-factor',
    'GET /api/profile/passkeys',
    'POST /api/profile/passkeys/options',
    'POST /api/profile/passkeys',
    'DELETE /api/profile/passkeys/:id',
  ],
  read: [
    'GET /api/team',
    'GET /api/team/export',
    'GET /api/keys',
    'GET /api/gateways',
    'GET /api/origins',
    'GET /api/branding',
    'GET /api/logos/:file',
    'GET /api/payer-mails',
    'GET /api/support-contact',
    'GET /api/organiser-rights',
    'GET /api/test/clock',
    ...perMode([
      'GET /api/{mode}/setup',
      'GET /api/{mode}/group-payments',
      'GET /api/{mode}/group-payments/export',
      'GET /api/{mode}/payments/export',
      'GET /api/{mode}/group-payments/:id',
      'GET /api/{mode}/search',
      'GET /api/{mode}/customers',
      'GET /api/{mode}/customers/:id',
      'GET /api/{mode}/customers/:id/payments',
      'GET /api/{mode}/group-payments/:id/refund-preview',
      'GET /api/{mode}/webhooks',
      'GET /api/{mode}/webhooks/:id',
      'GET /api/{mode}/webhooks/:id/deliveries',
      'GET /api/{mode}/webhooks/:id/deliveries/export',
      'GET /api/{mode}/webhooks/:id/recoveries/:recovery_id',
      'GET /api/{mode}/events',
      'GET /api/{mode}/saved-filters',
      'POST /api/{mode}/saved-filters',
      'PATCH /api/{mode}/saved-filters/:id',
      'DELETE /api/{mode}/saved-filters/:id',
      'GET /api/{mode}/events/export',
      'GET /api/{mode}/events/:id',
      'GET /api/{mode}/requests',
      'GET /api/{mode}/requests/export',
      'GET /api/{mode}/requests/:id',
      'GET /api/{mode}/balance',
      'GET /api/{mode}/statement',
      'GET /api/{mode}/movements',
      'GET /api/{mode}/movements/export',
      'GET /api/{mode}/statement/export',
      'GET /api/{mode}/charts/money',
      'GET /api/{mode}/charts/webhooks',
      'GET /api/{mode}/changes',
    ]),
  ],
  'audit.read': ['GET /api/audit', 'GET /api/audit/export'],
  'keys.manage': ['POST /api/keys', 'POST /api/keys/:id/roll', 'DELETE /api/keys/:id', 'PUT /api/origins'],
  'gateways.manage': [
    'POST /api/gateways',
    'PUT /api/gateways/active',
    'POST /api/gateways/verify',
    'DELETE /api/gateways/:psp_code',
    'POST /api/test/sandbox-account',
  ],
  'branding.manage': [
    'PUT /api/branding',
    'PUT /api/branding/logo',
    'PUT /api/payer-mails',
    'PUT /api/support-contact',
    'PUT /api/organiser-rights',
  ],
  // Beside the permissions for test mode, where the body or the key names the mode.
  'live_keys.manage': [],
  'live_gateways.manage': [],
  'webhooks.manage': perMode([
    'POST /api/{mode}/webhooks',
    'PATCH /api/{mode}/webhooks/:id',
    'DELETE /api/{mode}/webhooks/:id',
    'POST /api/{mode}/webhooks/:id/roll-secret',
  ]),
  'webhooks.resend': perMode([
    'POST /api/{mode}/webhooks/:id/test',
    'POST /api/{mode}/webhooks/:id/deliveries/:delivery_id/resend',
    'POST /api/{mode}/webhooks/:id/recover',
  ]),
  'payment_links.create': ['POST /api/live/group-payments'],
  'business_name.manage': ['PUT /api/business-name'],
  'payments.manage': perMode([
    'POST /api/{mode}/group-payments/:id/refund',
    'POST /api/{mode}/group-payments/:id/cancel',
  ]),
  'sessions.revoke': [
    'POST /api/group-payments/:id/revoke-sessions',
    ...perMode([
      'POST /api/{mode}/group-payments/:id/roll-checkout-link',
      'POST /api/{mode}/group-payments/:id/roll-organiser-link',
    ]),
  ],
  'test.manage': [
    'POST /api/test/clock/advance',
    'POST /api/test/clock/reset',
    'POST /api/test/group-payments',
  ],
  'team.rule': ['PUT /api/team/second-factor'],
  'team.manage': [
    'POST /api/team/invitations',
    'DELETE /api/team/invitations/:id',
    'PUT /api/team/members/:id',
    'DELETE /api/team/members/:id',
  ],
};
const guarded = Object.entries(NEEDS).flatMap(([permission, lines]) =>
  lines.map((line) => ({ permission: permission as Permission, line })),
);

let dashboard: Dashboard;
let member: Member;
const people = new Map<Role, Member>();
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  refuseEverything(dashboard.others);
  for (const role of ROLES) people.set(role, await dashboard.colleague(member, role));
});
afterAll(() => dashboard?.close());

const id = '0198c3f0-0000-7000-8000-00000000000a';
/** A request that goes no further than it must: writes have a body that is no JSON. */
const ask = (line: string, cookie?: string) => {
  const [method = '', path = ''] = line.split(' ');
  const real = path.replace(/:psp_code/, 'gateway_x').replaceAll(/:[a-z_]+/g, id);
  return dashboard.send(method, real, {
    ...(cookie !== undefined && { cookie }),
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{' }),
  });
};

it('every route is in the table of who may use it', () => {
  const served = routes(dashboard.parts).map(({ method, path }) => `${method} ${path}`);
  expect(served.toSorted()).toEqual([...ANYONE, ...guarded.map(({ line }) => line)].toSorted());
});

describe.each(ROLES)('%s', (role) => {
  const own = guarded.filter(({ permission }) => may(role, permission));
  const denied = guarded.filter(({ permission }) => !may(role, permission));

  it('a role is refused the routes it does not include, whatever the body', async () => {
    for (const { line } of denied) {
      const { status, body } = await ask(line, people.get(role)?.cookie);
      expect({ line, status, body }).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    }
  });

  it('a role may use the routes it includes', async () => {
    const kept = own.filter(({ line }) => line !== 'DELETE /api/profile/sessions');
    for (const { line } of kept) {
      const { status, body } = await ask(line, people.get(role)?.cookie);
      expect({ line, status, code: body['code'] }).not.toMatchObject({ status: 403 });
      expect({ line, status }).not.toMatchObject({ status: 401 });
    }
  });
});

it('a request without a session is a 401, except sign-up and login', async () => {
  for (const { line } of guarded) {
    const { status, body } = await ask(line);
    expect({ line, status, body }).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  }
});

it('only owners make and unmake owners, and only who manages the team makes anybody', () => {
  const may = ROLES.flatMap((actor) =>
    ROLES.filter((role) => mayAssign(actor, role)).map((r) => `${actor}>${r}`),
  );
  expect(may).toEqual([
    ...ROLES.map((role) => `owner>${role}`),
    ...ROLES.filter((role) => role !== 'owner').map((role) => `admin>${role}`),
  ]);
});
