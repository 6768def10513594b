import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicApi } from '@gp/contracts';
import { eventually } from '@gp/testing';
import type { Answer, Group, Json, Pay } from '../support/api.ts';
import { CREDENTIALS, expectedAnswer, type Credential, type Sample } from '../support/credentials.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openDashboard } from '../support/dashboard.ts';
import { openApi, beforeExpiry, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSigner } from '../support/signing.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
let receiver: Endpoint;
let mine: Requests;
let theirs: Requests;
let callers: Readonly<Record<Credential, Requests>>;
/** Groups of one merchant: one to be paid, one that a test payment pays, one beside them, one whose link is replaced, one that has ended. */
let group: Group;
let payable: Group;
let relinked: Group;
let beside: Group;
let ended: Group;
let myHook: Hook;
let secondHook: Hook;
let theirHook: Hook;
let eventId: string;
let logId: string;
let customerId: string;
let payments: { inGroup: Pay; beside: Pay; theirs: Pay };

type Hook = { readonly id: string; readonly deliveryId: string; readonly recoveryId: string };

const ana = payer('ana');
/** Nothing happened in it. */
const period = { since: inSeconds(-7_200), until: inSeconds(-3_600) };
const order = (): Json => ({
  group_name: 'Isolated',
  total_amount: 10,
  currency: 'EUR',
  expires_at: inSeconds(3_600),
  distribution: { type: 'equally', number_of_slots: 1 },
});
const payment = (of: Group, index: number): Json => ({
  customer_email: ana.email,
  slot_ids: [of.payment_slots[index]?.id],
});

/** Every operation has to be here: for a missing one, the isolation of merchants is not proven. */
const samples: Readonly<Record<string, Sample>> = {
  listGroupPayments: {},
  createGroupPayment: { body: order },
  getGroupPayment: {},
  updateGroupPayment: { body: () => ({ group_name: 'Renamed' }) },
  payGroupPayment: { body: () => payment(group, 1) },
  confirmPayment: { body: () => buildConfirmRequest(stack, payments.inGroup, ana) },
  createTestPayment: { body: () => ({ customer_email: ana.email }), otherMode: '403 insufficient_scope' },
  refundGroupPayment: { body: () => ({}), owner: '409 nothing_to_refund' },
  listCustomers: {},
  getCustomer: {},
  listCustomerPayments: {},
  getBalance: {},
  getStatement: {},
  rollCheckoutLink: {},
  rollOrganiserLink: {},
  cancelGroupPayment: {},
  listPayments: {},
  createSession: { body: () => ({}) },
  listWebhooks: {},
  createWebhook: { body: () => ({ url: receiver.url, event_types: ['payment_intent.failed'] }) },
  getWebhook: {},
  updateWebhook: { body: () => ({ description: 'changed' }) },
  deleteWebhook: {},
  rollWebhookSecret: { body: () => ({ overlap_seconds: 0 }) },
  testWebhook: { body: () => ({ event_type: 'group_payment.paid' }) },
  listWebhookDeliveries: {},
  resendWebhookDelivery: {},
  recoverWebhook: { body: () => period },
  getWebhookRecovery: {},
  listEvents: {},
  streamEvents: {},
  listRequestLogs: {},
  getRequestLog: {},
  getEvent: {},
  getTestClock: { otherMode: '403 insufficient_scope' },
  advanceTestClock: { body: () => ({ seconds: 1 }), otherMode: '403 insufficient_scope' },
  resetTestClock: { body: () => ({}), otherMode: '403 insufficient_scope' },
};

const getGroupId = (of: Group): string => of.group_payment.id;
const at = (of: Group, suffix = ''): string => `/v1/group-payments/${getGroupId(of)}${suffix}`;
const mintToken = async (server: Requests, of: Group): Promise<string> =>
  String((await server.post(at(of, '/session'))).body['token']);
const outcome = ({ status, body }: Answer): string =>
  'code' in body ? `${status} ${String(body['code'])}` : String(status);
const ask = (http: Requests, { method }: publicApi.Operation, path: string, body?: unknown) =>
  http[method.toLowerCase() as keyof Requests](path, body);

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  stack = shared.stack;
  receiver = await openEndpoint();
  const [merchant, other] = [findMerchant(stack, 'gateway_b'), findMerchant(stack, 'gateway_a')];
  const [api, otherApi] = [openApi(stack, merchant), openApi(stack, other)];
  mine = openRequests(stack.api, merchant.test_key);
  theirs = openRequests(stack.api, other.test_key);
  ended = await beforeExpiry(2, (expires_at) => newGroup(api, 1, { expires_at }));
  [group, beside, relinked] = [
    await newGroup(api, 2, { organiser: { may: [] } }),
    await newGroup(api, 2),
    await newGroup(api, 1),
  ];
  payable = await newGroup(api, 1);
  const foreign = await newGroup(otherApi, 1);
  [myHook, secondHook, theirHook] = [await newHook(mine), await newHook(mine), await newHook(theirs)];
  payments = {
    inGroup: await api.pay(getGroupId(group), payment(group, 0)),
    beside: await api.pay(getGroupId(beside), payment(beside, 1)),
    theirs: await otherApi.pay(getGroupId(foreign), payment(foreign, 0)),
  };
  await paySlot(stack, api, beside, 0, ana);
  eventId = (await receiver.accepted('payment_intent.preauthorised', getGroupId(beside))).event.id;
  customerId = await readCustomerId(mine);
  await api.becomes(getGroupId(ended), ['expired']);
  logId = await readLogId(mine, at(group, '/pay'));
  const with_ = (credential?: string) => openRequests(stack.api, credential);
  callers = {
    'no credential': with_(),
    junk: with_('sk_test_junk'),
    'expired token': with_(await expiredToken(merchant.merchant_id)),
    'key of another merchant': theirs,
    'key of the other mode': with_(merchant.live_key),
    'token of another group': with_(await mintToken(mine, beside)),
    'token of another merchant': with_(await mintToken(theirs, foreign)),
    'token that only reads': with_(await mintToken(mine, ended)),
    'token of the group': with_(await mintToken(mine, group)),
    'own key': mine,
  };
}, 180_000);
afterAll(async () => {
  await receiver?.close();
  await shared?.close();
});

/** The id of Ana at the merchant of a key. */
async function readCustomerId(server: Requests): Promise<string> {
  const { body } = await server.get(`/v1/customers?customer_email=${ana.email}`);
  return (body as { customers: { customer_id: string }[] }).customers[0]?.customer_id ?? '';
}

/** The id under which a request is logged. */
const readLogId = (server: Requests, path: string): Promise<string> =>
  eventually(async () => {
    const { body } = await server.get(`/v1/request-logs?path=${path}`);
    return (body as { request_logs: { id: string }[] }).request_logs[0]?.id;
  });

/** An endpoint that was sent one event, and a period that was recovered. */
async function newHook(server: Requests): Promise<Hook> {
  const id = String((await server.post('/v1/webhooks', { url: receiver.url })).body['id']);
  const path = `/v1/webhooks/${id}`;
  const sent = await server.post(`${path}/test`, { event_type: 'group_payment.paid' });
  const recovery = await server.post(`${path}/recover`, period);
  await eventually(async () => {
    const { deliveries } = (await server.get(`${path}/deliveries`)).body as { deliveries: Json[] };
    return deliveries.some(({ state }) => state === 'delivered') || undefined;
  });
  return { id, deliveryId: String(sent.body['id']), recoveryId: String(recovery.body['id']) };
}

/** A token that was good in everything but its end: with another end the same signer's is let in. */
async function expiredToken(mid: string): Promise<string> {
  const sign = await openSigner(stack);
  const claims = {
    mid,
    gp: getGroupId(group),
    mode: 'test',
    scope: ['read', 'pay', 'confirm'],
    epoch: 0,
    limited: false,
  } as const;
  const living = openRequests(stack.api, sign({ ...claims, scope: [...claims.scope] }, 600));
  await eventually(async () => (await living.get(at(group))).status === 200 || undefined);
  return sign({ ...claims, scope: [...claims.scope] }, -1);
}

/** Groups of operations after which the other ones would not succeed on the same group. */
const ofOwn: Readonly<Record<string, () => Group>> = {
  rollCheckoutLink: () => relinked,
  cancelGroupPayment: () => relinked,
  createTestPayment: () => payable,
};

/** Returns the path of an operation's request, on the owner's object. */
function fillPath({ id, path }: publicApi.Operation, who: Credential): string {
  const isEnded = who === 'token that only reads';
  const ids: Readonly<Record<string, string>> = {
    'group-payments': getGroupId(isEnded ? ended : (ofOwn[id]?.() ?? group)),
    webhooks: myHook.id,
    events: eventId,
    'request-logs': logId,
    customers: customerId,
  };
  return path
    .replace('{id}', ids[path.split('/')[2] ?? ''] ?? 'unknown')
    .replace('{delivery_id}', myHook.deliveryId)
    .replace('{recovery_id}', myHook.recoveryId);
}

/** The owner's objects that a stranger could have changed. */
async function whatIsMine(): Promise<unknown> {
  const hook = `/v1/webhooks/${myHook.id}`;
  const customer = `/v1/customers/${customerId}`;
  const found = await Promise.all(
    [at(group), at(payable), at(relinked), hook, customer].map((path) => mine.get(path)),
  );
  const { deliveries } = (await mine.get(`${hook}/deliveries`)).body as { deliveries?: Json[] };
  return { found: found.map(({ body }) => body), deliveries: deliveries?.map(({ id }) => id) };
}

/** Waits until captures have ended and all that happened has reached my endpoints: what is late would look like a stranger's doing. */
async function everythingIsSettled(): Promise<void> {
  const late = `select from events e join groups g on g.id = e.group_id
    where g.merchant_id = any($1) and not exists (select from webhooks.events w where w.id = e.id)
    union all select from groups where merchant_id = any($1) and state in ('preauthorised', 'capturing')`;
  const merchants = stack.merchants.map(({ merchant_id }) => merchant_id);
  await eventually(async () => (await askLedger(stack, late, [merchants])).length === 0 || undefined);
}

const byDestruction = (a: publicApi.Operation, b: publicApi.Operation) =>
  Number(a.method === 'DELETE') - Number(b.method === 'DELETE');
const operations: publicApi.Operation[] = Object.values(publicApi.operations).toSorted(byDestruction);

describe('every operation with every credential', () => {
  it('every operation has an expectation for every credential', () => {
    expect(operations.map(({ id }) => id).filter((id) => !Object.hasOwn(samples, id))).toEqual([]);
  });

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s serves its owner only, and shows and changes nothing for others (A10, Q15)',
    async (id, operation) => {
      const sample = samples[id] ?? {};
      const body = await sample.body?.();
      const answers = async (who: readonly Credential[]) => {
        const found: Record<string, string> = {};
        for (const name of who)
          found[name] = outcome(await ask(callers[name], operation, fillPath(operation, name), body));
        return found;
      };
      const wanted = (who: readonly Credential[]) =>
        Object.fromEntries(who.map((name) => [name, expectedAnswer(operation, sample, name)]));
      const others = CREDENTIALS.slice(0, -2);
      const owners = CREDENTIALS.slice(-2);
      await everythingIsSettled();
      const before = await whatIsMine();
      expect(await answers(others)).toEqual(wanted(others));
      expect(await whatIsMine()).toEqual(before);
      expect(await answers(owners)).toEqual(wanted(owners));
    },
  );

  it.each([
    '/v1/group-payments?limit=100&expand=payments',
    '/v1/customers?limit=100',
    '/v1/webhooks',
    '/v1/events?limit=100',
  ])(
    'GET %s lists what belongs to the merchant and mode of its key, and nothing else (Q18)',
    async (path) => {
      const text = async (who: Credential) => JSON.stringify((await callers[who].get(path)).body);
      const ids = [getGroupId(group), getGroupId(beside), customerId, secondHook.id, eventId];
      const shown = await text('own key');
      expect(ids.some((id) => shown.includes(id))).toBe(true);
      for (const who of ['key of another merchant', 'key of the other mode'] as const) {
        const seen = await text(who);
        expect(ids.filter((id) => seen.includes(id))).toEqual([]);
      }
    },
  );
});

it('requests are logged for the merchant and mode of their key, and for no other (Q40)', async () => {
  const listIds = async (who: Credential) => {
    const { body } = await callers[who].get('/v1/request-logs?limit=100');
    return (body as { request_logs: { request_id: string }[] }).request_logs.map(
      ({ request_id }) => request_id,
    );
  };
  const own = await listIds('own key');
  expect(own.length).toBeGreaterThan(0);
  for (const who of ['key of another merchant', 'key of the other mode'] as const)
    expect((await listIds(who)).filter((id) => own.includes(id))).toEqual([]);
});

it('a live stream of the dashboard names a new group to members of its merchant in its mode, and to nobody else (S9, Q53)', async () => {
  const [me, other] = [findMerchant(stack, 'gateway_b'), findMerchant(stack, 'gateway_a')];
  const [dashboard, otherDashboard] = [await openDashboard(stack, me), await openDashboard(stack, other)];
  const streams = [
    { stream: await dashboard.follow('test'), owner: mine },
    { stream: await dashboard.follow('live'), owner: callers['key of the other mode'] },
    { stream: await otherDashboard.follow('test'), owner: theirs },
  ];
  const makeGroup = async (owner: Requests): Promise<string> =>
    ((await owner.post('/v1/group-payments', order())).body as unknown as Group).group_payment.id;
  const ids: string[] = [];
  for (const { owner } of streams) ids.push(await makeGroup(owner));
  for (const [index, { stream }] of streams.entries())
    await eventually(() => stream.text().includes(ids[index] ?? '-') || undefined);
  for (const [index, { stream }] of streams.entries())
    expect(ids.filter((id) => stream.text().includes(id))).toEqual([ids[index]]);
  await Promise.all(streams.map(({ stream }) => stream.close()));
});

describe('a foreign id inside an own resource', () => {
  it('a delivery or recovery of another merchant, or of another own endpoint, is a 404', async () => {
    const path = `/v1/webhooks/${secondHook.id}`;
    for (const { deliveryId, recoveryId } of [theirHook, myHook]) {
      expectError(await mine.post(`${path}/deliveries/${deliveryId}/resend`), 404, 'not_found');
      expectError(await mine.get(`${path}/recoveries/${recoveryId}`), 404, 'not_found');
    }
    expect((await mine.post(`${path}/deliveries/${secondHook.deliveryId}/resend`)).status).toBe(202);
    expect((await mine.get(`${path}/recoveries/${secondHook.recoveryId}`)).status).toBe(200);
  });

  it('a secret key confirms any payment of its merchant, and a token only one of its group (A10)', async () => {
    const card = await buildConfirmRequest(stack, payments.beside, ana);
    const confirm = async (http: Requests, { payment_intent_id }: Pay) =>
      outcome(await http.post(at(group, '/confirm'), { ...card, payment_intent_id }));
    const browser = callers['token of the group'];
    expect(await confirm(browser, payments.theirs)).toBe('404 not_found');
    expect(await confirm(browser, payments.beside)).toBe('404 not_found');
    expect((await mine.get(at(beside))).body).toMatchObject({ payment_slots: [{}, { state: 'assigned' }] });
    expect(await confirm(mine, payments.theirs)).toBe('404 not_found');
    expect(await confirm(mine, payments.beside)).toBe('200');
  });

  it('a payment refuses slots of another group', async () => {
    const body = { customer_email: ana.email, slot_ids: [beside.payment_slots[0]?.id] };
    for (const http of [callers['token of the group'], mine])
      expectError(await http.post(at(group, '/pay'), body), 400, 'invalid_slot_ids');
  });
});
