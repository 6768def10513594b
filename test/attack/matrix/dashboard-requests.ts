import { randomBytes, randomUUID } from 'node:crypto';
import { openRequests } from '../../support/requests.ts';
import type { Request } from './requests.ts';
import { expectStatus, type Person } from './people.ts';
import { newGroup, period } from './things.ts';
import { LOGO, type World } from './world.ts';

/**
 * The parameters of a route's request: `id` in its path, `query` and `body`. Where the expected success uses the object
 * up, `id` makes a new one.
 */
type Ask = {
  readonly id?: (o: Asked) => string | Promise<string>;
  readonly query?: string;
  readonly body?: (o: Asked) => unknown;
};
type Asked = {
  readonly world: World;
  readonly mode: 'test' | 'live';
  /** The user whose login is sent, if it is one. */
  readonly person: Person | undefined;
  readonly isExpectedToSucceed: boolean;
};

const address = () => `somebody-${randomBytes(4).toString('hex')}@merchants.example`;
const newPassword = 'seventeen quiet lanterns by the harbour';

/** Returns the id of an object made for one request where a success uses it up; else that of the shared one. */
const fresh =
  (make: (o: Asked) => Promise<string>, standing: (o: Asked) => string | Promise<string>) => (o: Asked) =>
    o.isExpectedToSucceed ? make(o) : standing(o);

async function makeId({ world: { dashboard, mine } }: Asked, path: string, body: unknown): Promise<string> {
  return String(expectStatus(await dashboard.ask(mine.owner, 'POST', path, body), 201).body['id']);
}
const newKey = (o: Asked) => makeId(o, '/api/keys', { mode: o.mode, name: 'matrix', scopes: ['read'] });
const newHook = (o: Asked) => makeId(o, `/api/${o.mode}/webhooks`, { url: 'https://matrix.example/hooks' });
const newInvitation = (o: Asked) => makeId(o, '/api/team/invitations', { email: address(), role: 'viewer' });
const newBill = async ({ world: { stack, mine }, mode }: Asked): Promise<string> => {
  const key = mode === 'test' ? mine.merchant.test_key : mine.merchant.live_key;
  return (await newGroup(openRequests(stack.api, key), 'Casa matrix')).group_payment.id;
};

async function findMemberId({ world: { dashboard, mine } }: Asked, { email }: Person): Promise<string> {
  const { members } = (await dashboard.ask(mine.owner, 'GET', '/api/team')).body as {
    members: { id: string; email: string }[];
  };
  return members.find((member) => member.email === email)?.id ?? '';
}

/** Filters of the first merchant's owner; nobody else has anything to do with them. */
const savedFilter = (name: string) => ({ list: 'events', name, filters: { delivered: 'false' } });
const newName = () => `matrix ${randomBytes(4).toString('hex')}`;
const newSavedFilter = (o: Asked) => makeId(o, `/api/${o.mode}/saved-filters`, savedFilter(newName()));

const traineeId = (o: Asked) => findMemberId(o, o.world.standing.trainee);
const keyId = ({ world, mode }: Asked) => world.standing.keys[mode];
const newMemberId = async (o: Asked) =>
  findMemberId(o, await o.world.dashboard.addMember(o.world.mine.owner, 'viewer'));

/** Another session of the owner. */
async function otherSession({ world: { dashboard, mine } }: Asked): Promise<string> {
  await dashboard.logIn(mine.owner.email, mine.owner.password);
  const { sessions } = (await dashboard.ask(mine.owner, 'GET', '/api/profile/sessions')).body as {
    sessions: { id: string; is_this: boolean }[];
  };
  return sessions.find(({ is_this }) => !is_this)?.id ?? '';
}

const group = { id: ({ world, mode }: Asked) => world.mine[mode].group.group_payment.id };
const customer = { id: ({ world, mode }: Asked) => world.mine[mode].customerId };
const hook = { id: ({ world, mode }: Asked) => world.mine[mode].hook.id };
const inMode =
  (rest: object = {}) =>
  ({ mode }: Asked) => ({ mode, ...rest });
const modeQuery = (row: string) => `?mode=${row.endsWith('· live') ? 'live' : 'test'}`;

const BILL = {
  ...{ group_name: 'Matrix', currency: 'EUR', total_amount: '30.00', number_of_slots: 3 },
  expires_in_seconds: 3_600,
};

/** Rows whose requests have an id, a query or a body. */
const asks: Readonly<Record<string, Ask>> = {
  'GET /api/audit/export': { query: '?format=jsonl' },
  'PUT /api/gateways/active': { body: inMode({ psp_code: 'gateway_b' }) },
  'POST /api/gateways/verify': { body: inMode({ psp_code: 'gateway_b' }) },
  'POST /api/gateways': { body: inMode({ psp_code: 'gateway_c', credentials: {} }) },
  'POST /api/group-payments/:id/revoke-sessions': { id: fresh(newBill, group.id), body: inMode() },
  'POST /api/{mode}/group-payments/:id/roll-checkout-link': {
    id: fresh(newBill, group.id),
    body: () => ({}),
  },
  'POST /api/{mode}/group-payments/:id/roll-organiser-link': {
    id: fresh(newBill, group.id),
    body: () => ({}),
  },
  'POST /api/keys': { body: inMode({ name: 'matrix', scopes: ['read'] }) },
  'POST /api/keys/:id/roll': { id: fresh(newKey, keyId), body: () => ({ overlap_seconds: 0 }) },
  'DELETE /api/keys/:id': { id: fresh(newKey, keyId) },
  'PUT /api/branding/logo': { body: inMode({ logo: LOGO }) },
  'GET /api/logos/:file': { id: ({ world }) => world.standing.logo },
  'PUT /api/payer-mails': { body: inMode({ payer_mails: false }) },
  'PUT /api/support-contact': { body: inMode({ support_email: 'hello@matrix.example', support_url: null }) },
  'PUT /api/organiser-rights': { body: inMode({ organiser_rights: [] }) },
  'PUT /api/business-name': { body: () => ({ business_name: 'Casa matrix' }) },
  'POST /api/{mode}/group-payments': { body: () => BILL },
  'PUT /api/branding': { body: inMode({ brand_color: '#0b5d3b' }) },
  'PUT /api/origins': { body: inMode({ origins: ['https://shop.example'] }) },
  'GET /api/{mode}/events/:id': { id: ({ world, mode }) => world.mine[mode].eventId },
  'POST /api/{mode}/group-payments/:id/cancel': { id: fresh(newBill, group.id), body: () => ({}) },
  'GET /api/{mode}/group-payments/:id/refund-preview': group,
  'POST /api/{mode}/group-payments/:id/refund': { ...group, body: () => ({}) },
  'GET /api/{mode}/group-payments/:id': group,
  'GET /api/{mode}/statement/export': { query: '?format=csv' },
  'GET /api/{mode}/movements/export': { query: '?format=csv' },
  'GET /api/{mode}/customers/:id': customer,
  'GET /api/{mode}/customers/:id/payments': customer,
  'GET /api/{mode}/group-payments/export': { query: '?format=csv' },
  'GET /api/{mode}/payments/export': { query: '?format=jsonl' },
  'GET /api/{mode}/events/export': { query: '?format=jsonl' },
  'GET /api/{mode}/requests/export': { query: '?format=csv' },
  'GET /api/{mode}/webhooks/:id/deliveries/export': { ...hook, query: '?format=jsonl' },
  'GET /api/team/export': { query: '?format=csv' },
  'GET /api/{mode}/search': { query: '?text=casa' },
  'GET /api/{mode}/requests/:id': { id: ({ world, mode }) => world.mine[mode].logId },
  'POST /api/{mode}/webhooks/:id/deliveries/:delivery_id/resend': { ...hook, body: () => ({}) },
  'GET /api/{mode}/webhooks/:id/deliveries': hook,
  'POST /api/{mode}/webhooks/:id/recover': { ...hook, body: () => period },
  'GET /api/{mode}/webhooks/:id/recoveries/:recovery_id': hook,
  'POST /api/{mode}/webhooks/:id/roll-secret': { ...hook, body: () => ({ overlap_seconds: 0 }) },
  'POST /api/{mode}/webhooks/:id/test': { ...hook, body: () => ({ event_type: 'group_payment.paid' }) },
  'DELETE /api/{mode}/webhooks/:id': { id: fresh(newHook, hook.id) },
  'GET /api/{mode}/webhooks/:id': hook,
  'PATCH /api/{mode}/webhooks/:id': { ...hook, body: () => ({ event_types: [] }) },
  'POST /api/{mode}/webhooks': { body: () => ({ url: 'https://matrix.example/hooks' }) },
  'PUT /api/profile/password': { body: () => ({ current_password: 'not this one', password: newPassword }) },
  'GET /api/{mode}/saved-filters': { query: '?list=events' },
  'POST /api/{mode}/saved-filters': { body: () => savedFilter(newName()) },
  'PATCH /api/{mode}/saved-filters/:id': { id: newSavedFilter, body: () => ({ name: newName() }) },
  'DELETE /api/{mode}/saved-filters/:id': { id: newSavedFilter },
  'POST /api/profile/second-factor/confirm': { body: () => ({ code: '000000' }) },
  'DELETE /api/profile/sessions/:id': { id: otherSession },
  'POST /api/reauthenticate': { body: ({ person }) => ({ password: person?.password ?? 'none' }) },
  'POST /api/team/invitations': { body: () => ({ email: address(), role: 'viewer' }) },
  'DELETE /api/team/invitations/:id': { id: fresh(newInvitation, ({ world }) => world.standing.invitation) },
  'PUT /api/team/members/:id': { id: traineeId, body: () => ({ role: 'viewer' }) },
  'DELETE /api/team/members/:id': { id: fresh(newMemberId, traineeId) },
  'PUT /api/team/second-factor': { body: () => ({ required: false }) },
  'POST /api/test/clock/advance': { body: () => ({ seconds: 1 }) },
  'POST /api/test/sandbox-account': { body: () => ({ psp_code: 'gateway_b' }) },
};

/** Lists and gateways name their mode in the query. */
const WITH_MODE = [
  'GET /api/keys',
  'GET /api/gateways',
  'GET /api/origins',
  'GET /api/branding',
  'GET /api/payer-mails',
  'GET /api/support-contact',
  'GET /api/organiser-rights',
  'DELETE /api/gateways/:psp_code',
];

/** Returns the request of a row of the dashboard's table, on the first merchant's objects. */
export async function buildDashboardRequest(row: string, o: Omit<Asked, 'mode'>): Promise<Request> {
  const [method = '', route = ''] = row.split(' ');
  const isLive = route.startsWith('/api/live/') || row.endsWith('· live');
  const asked: Asked = { ...o, mode: isLive ? 'live' : 'test' };
  const name = `${method} ${route}`;
  const ask = asks[name.replace(/ \/api\/(test|live)\//, ' /api/{mode}/')] ?? asks[name] ?? {};
  const { hook: known } = o.world.mine[asked.mode];
  const path = route
    .replace(/:id|:file/, (await ask.id?.(asked)) ?? randomUUID())
    .replace(':delivery_id', known.deliveryId)
    .replace(':recovery_id', known.recoveryId)
    .replace(':psp_code', 'gateway_c')
    .replace('*name', 'no-such-file.js')
    .replace('{*path}', 'team');
  const query = WITH_MODE.includes(name) ? modeQuery(row) : (ask.query ?? '');
  const isRead = method === 'GET' || method === 'DELETE';
  const body = isRead ? undefined : (ask.body?.(asked) ?? {});
  return {
    method,
    path: path + query,
    ...(body !== undefined && { body }),
    headers: { 'idempotency-key': randomUUID() },
  };
}
