import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { noteKeyExposure, sessionEpochRaised, settingsChanged, type Mode } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { followEpochs } from '../src/app/directories/follow-changes.ts';
import { findEpochs } from '../src/db/session-epochs.ts';
import { card, checkoutUrl, createBody, openEdge, type Edge } from './support/edge.ts';
import {
  inSeconds,
  createSigning,
  serveSigningKeys,
  tamperedWith,
  tokenWith,
  type TokenParts,
} from './support/session-tokens.ts';

const GROUPS = '/v1/group-payments';
const ORIGIN = 'https://shop.example';

let edge: Edge;
let groupId: string;
let checkout: ReturnType<typeof serveSigningKeys>;
const test = createSigning('test');
const live = createSigning('live');
const published = [test.published, live.published];

beforeAll(async () => {
  edge = await openEdge();
  checkout = serveSigningKeys(edge.others, [...published]);
  const created = await edge.post(GROUPS, createBody());
  groupId = (created.body['group_payment'] as { id: string }).id;
  await registered([ORIGIN], 1);
});
afterAll(async () => {
  await checkout?.close();
  await edge?.close();
});
beforeEach(() => {
  for (const received of Object.values(edge.fakes.received)) received.length = 0;
});

const token = (parts: TokenParts = {}, of = groupId) => tokenWith(test, of, parts);
const at = (suffix = '', of = groupId) => `${GROUPS}/${of}${suffix}`;
const read = (key: string, headers = {}) => edge.get(at(), { key, headers });
const payer = { customer_email: 'ada@example.com' };

/** Publishes origins as the dashboard does, and waits until they are known. */
async function registered(origins: string[], revision: number, merchant_id = 'm1'): Promise<void> {
  const payload = { merchant_id, mode: 'test' as Mode, origins, revision };
  const subject = `${settingsChanged.subject}.${merchant_id}`;
  await edge.others.publish({ id: randomUUID(), subject, mode: 'test', payload });
  const rows = `select from allowed_origins where merchant_id = $1 and revision = $2`;
  await eventually(async () => (await edge.rows(rows, [merchant_id, revision])).length === 1 || undefined);
}

async function raised(epoch: number, of: string): Promise<void> {
  const payload = { merchant_id: 'm1', mode: 'test' as Mode, group_id: of, epoch };
  const subject = `${sessionEpochRaised.subject}.${of}`;
  await edge.others.publish({ id: randomUUID(), subject, mode: 'test', payload });
}

it('a session token sees neither the reference nor the payments of its group, and cannot cancel it (Q35–Q37, Q39)', async () => {
  const created = await edge.post(GROUPS, createBody({ client_reference: 'for Mr Lima' }));
  const { id } = created.body['group_payment'] as { id: string };
  const key = await token({}, id);
  const shown = await edge.get(at('', id), { key });
  expect(shown).toMatchObject({ status: 200, body: { group_payment: { id, client_reference: null } } });
  for (const refused of [
    await edge.get(at('/payments', id), { key }),
    await edge.get(at('?expand=payments', id), { key }),
    await edge.get(at('?expand=customers', id), { key }),
    await edge.get('/v1/customers', { key }),
    await edge.post(at('/cancel', id), undefined, { key }),
  ])
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
});

describe('POST /roll-checkout-link', () => {
  const roll = async () => {
    const created = await edge.post(GROUPS, createBody());
    const { id } = created.body['group_payment'] as { id: string };
    const idempotencyKey = randomUUID();
    const send = () => edge.post(`${GROUPS}/${id}/roll-checkout-link`, undefined, { idempotencyKey });
    return { id, send };
  };

  it('a roll of the checkout link answers 200 with the new link, once under its Idempotency-Key (X13, Q12)', async () => {
    const { id, send } = await roll();
    const first = await send();
    const checkout_url = `${checkoutUrl}/c/${'q'.repeat(35)}`;
    expect(first).toMatchObject({ status: 200, body: { group_payment_id: id, checkout_url } });
    expect((await send()).text).toBe(first.text);
    const command = { merchant_id: 'm1', mode: 'test', group_id: id, actor: 'merchant' };
    expect(edge.fakes.received.roll).toEqual([expect.objectContaining(command)]);
  });

  it('an older token that reads the group after a roll gets 401, even before the edge knows its end (X13)', async () => {
    const { id, send } = await roll();
    const get = async (claims: Readonly<Record<string, unknown>>) =>
      edge.get(at('', id), { key: await token({ claims }, id) });
    expect((await get({})).status).toBe(200);
    await send();
    const refused = await get({});
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain('qqq');
    expect((await get({ link: 1 })).body['checkout_url']).toContain('qqq');
  });
});

describe('a token that ended', () => {
  it('a payment names the link of its token, so that the ledger refuses those of an older link (X15)', async () => {
    const pays = async (parts: TokenParts) =>
      (await edge.post(at('/pay'), payer, { key: await token(parts) })).status;
    expect([await pays({}), await pays({ claims: { link: 3 } })]).toEqual([201, 201]);
    expect((await edge.post(at('/pay'), payer)).status).toBe(201);
    const links = edge.fakes.received.pay.map(({ link_number }) => link_number);
    expect(links).toEqual([0, 3, undefined]);
  });

  it('a replica that was cut off from the bus refuses what ended meanwhile as soon as it is back (X15)', async () => {
    const created = await edge.post(GROUPS, createBody());
    const { id } = created.body['group_payment'] as { id: string };
    const key = await token({}, id);
    const status = async () => (await edge.get(at('', id), { key })).status;
    // Until its clock moves on, the replica knows that the group has no epoch.
    expect(await status()).toBe(200);
    await edge.nats.down();
    await followEpochs(edge.db)({ merchant_id: 'm1', mode: 'test', group_id: id, epoch: 1 });
    await edge.nats.up();
    await eventually(async () => (await status()) === 401 || undefined);
  });
});

describe('a token that is none of ours', () => {
  const cases: readonly [string, () => Promise<string>][] = [
    ['signed by a stranger under our kid', () => token({ key: createSigning('test').privateKey })],
    ['that says alg none', () => tamperedWith(token(), { alg: 'none' })],
    ['that says alg none and has no signature', async () => `${await unsigned()}.`],
    [
      'signed with HS256 and our public key',
      () => token({ header: { alg: 'HS256' }, key: Buffer.from(test.x, 'base64url') }),
    ],
    ['whose claims were changed', () => tamperedWith(token(), { claims: { epoch: 9 } })],
    ['for another audience', () => token({ claims: { aud: 'elsewhere' } })],
    ['of another issuer', () => token({ claims: { iss: 'somebody' } })],
    ['of another type', () => token({ header: { typ: 'JWT' } })],
    ['without a type', () => token({ header: { typ: undefined } })],
    ['that has ended', () => token({ claims: { exp: inSeconds(-1) } })],
    ['that never ends', () => token({ claims: { exp: undefined } })],
    ['that is not valid yet', () => token({ claims: { nbf: inSeconds(60) } })],
    ['without an epoch', () => token({ claims: { epoch: undefined } })],
    ['without an id', () => token({ claims: { jti: undefined } })],
    ['without a kid', () => token({ header: { kid: undefined } })],
    ['of one mode signed with a key of the other', () => token({ claims: { mode: 'live' } })],
  ];
  const unsigned = async () =>
    (await tamperedWith(token(), { alg: 'none' })).split('.').slice(0, 2).join('.');

  it.each(cases)('a foreign token %s is a 401 that does not give the reason', async (_what, forged) => {
    expect((await read(await token())).status).toBe(200);
    const refused = await read(await forged());
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'unauthorized', message: 'missing or invalid authentication' },
    });
  });

  it('unknown key names are looked up once in five seconds, whatever their number', async () => {
    await read(await token());
    edge.pass(5_001);
    const before = checkout.state.asked;
    const unknown = () => token({ header: { kid: `test_${randomUUID()}` } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => (await read(await unknown())).status),
    );
    expect(new Set(answers)).toEqual(new Set([401]));
    expect(checkout.state.asked).toBe(before + 1);
  });

  it('a key that is published later is found', async () => {
    const newer = createSigning('test');
    checkout.state.keys = [...published, newer.published];
    edge.pass(5_001);
    expect((await read(await tokenWith(newer, groupId))).status).toBe(200);
  });
});

describe('a token of ours', () => {
  it('a token of live mode is no key to test data', async () => {
    expect((await read(await tokenWith(live, groupId))).status).toBe(404);
    expect((await read(await tokenWith(test, groupId, { claims: { mid: 'm2' } }))).status).toBe(404);
  });

  it('a token reaches its own group only', async () => {
    const elsewhere = at('', randomUUID());
    expect((await edge.get(elsewhere, { key: await token() })).status).toBe(404);
    const paid = await edge.post(`${elsewhere}/pay`, payer, { key: await token() });
    expect(paid.status).toBe(404);
    expect(edge.fakes.received.pay).toEqual([]);
  });

  it.each([
    ['POST', '/refund'],
    ['POST', '/session'],
  ])('a token does not open %s %s of its own group: 403 insufficient_scope (Q15)', async (method, suffix) => {
    const reply = await edge.send(method, at(suffix), { key: await token(), body: {} });
    expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(edge.fakes.received.refund).toEqual([]);
  });

  it('a token that only reads neither pays nor confirms: 403 insufficient_scope (Q6)', async () => {
    const key = await token({ claims: { scope: ['read'] } });
    expect((await read(key)).status).toBe(200);
    const confirm = { payment_intent_id: randomUUID(), card };
    for (const reply of [
      await edge.post(at('/pay'), payer, { key }),
      await edge.post(at('/confirm'), confirm, { key }),
    ])
      expect(reply).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect([edge.fakes.received.pay, edge.fakes.received.begin]).toEqual([[], []]);
  });

  it('a token confirms in the name of its group, so that checkout looks for the payment there only (A10)', async () => {
    await edge.post(at('/confirm'), { payment_intent_id: randomUUID(), card }, { key: await token() });
    expect(edge.fakes.received.begin).toMatchObject([{ principal: `session:${groupId}` }]);
  });
});

describe('an idempotency key', () => {
  it('an idempotency key of a server is another one for a browser, and the reverse: neither gets the other’s response (A10)', async () => {
    const browser = await token();
    for (const [first, second] of [
      [edge.key, browser],
      [browser, edge.key],
    ] as const) {
      const idempotencyKey = randomUUID();
      const pay = (key: string) => edge.post(at('/pay'), payer, { key, idempotencyKey });
      const [one, other, again] = [await pay(first), await pay(second), await pay(first)];
      expect(other.headers['idempotent-replayed']).toBeUndefined();
      expect(other.body['payment_intent_id']).not.toBe(one.body['payment_intent_id']);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(one.text);
    }
    const ids = edge.fakes.received.pay.map(({ command_id }) => command_id);
    expect(new Set(ids).size).toBe(4);
  });
});

it('a payment is started in the name of its browser: its token, and its key as a hash, which outlives the token (A4)', async () => {
  edge.fakes.received.pay.length = 0;
  const idempotencyKey = randomUUID();
  for (const key of [await token(), await token()])
    await edge.post(at('/pay'), payer, { key, idempotencyKey });
  await edge.post(at('/pay'), payer, { key: await token() });
  await edge.post(at('/pay'), payer, { idempotencyKey });
  const [first, second, plain, server] = edge.fakes.received.pay.map(({ requesters }) => requesters);
  expect(first?.[0]).not.toBe(second?.[0]);
  expect(first?.[1]).toBe(second?.[1]);
  expect(first?.[1]).not.toContain(idempotencyKey);
  expect([plain?.length, server]).toEqual([1, undefined]);
});

it('a response stored for one token is never repeated to another token of the group (X5)', async () => {
  const [mine, stranger] = [await token(), await token()];
  const idempotencyKey = randomUUID();
  edge.fakes.received.pay.length = 0;
  const pay = (key: string) => edge.post(at('/pay'), payer, { key, idempotencyKey });
  const first = await pay(mine);
  const other = await pay(stranger);
  expect(other.headers['idempotent-replayed']).toBeUndefined();
  expect(other.headers['original-request']).toBeUndefined();
  const again = await pay(mine);
  expect([again.headers['idempotent-replayed'], again.text]).toEqual(['true', first.text]);
  const ids = edge.fakes.received.pay.map(({ command_id }) => command_id);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

describe('a revoked group', () => {
  const another = async () =>
    ((await edge.post(GROUPS, createBody())).body['group_payment'] as { id: string }).id;

  it('a revoked group lets no older token in within a second, and a newer one at once', async () => {
    const of = await another();
    const get = async (epoch: number) =>
      (await edge.get(at('', of), { key: await token({ claims: { epoch } }, of) })).status;
    expect(await get(0)).toBe(200);
    await raised(1, of);
    // The clock stands still: what is remembered of the group would let it in for ever.
    await eventually(async () => (await get(0)) === 401 || undefined);
    expect(await get(1)).toBe(200);
    // An announcement counts for ten seconds by the clock of the test; the projection follows in real time.
    await eventually(async () => (await findEpochs(edge.db, [of])).length === 1 || undefined);
    edge.pass(10_001);
    expect(await get(0)).toBe(401);
  });

  it('a revoked group stays revoked for a process that missed the announcement, and an older announcement does not undo it', async () => {
    const of = await another();
    await raised(2, of);
    await eventually(async () => (await findEpochs(edge.db, [of])).length === 1 || undefined);
    await raised(1, of);
    const marker = await another();
    await raised(1, marker);
    await eventually(async () => (await findEpochs(edge.db, [marker])).length === 1 || undefined);
    edge.pass(10_001);
    const key = await token({ claims: { epoch: 1 } }, of);
    expect((await edge.get(at('', of), { key })).status).toBe(401);
    expect(await findEpochs(edge.db, [of])).toMatchObject([{ epoch: 2 }]);
  });
});

describe('a page of another origin', () => {
  const allowed = 'access-control-allow-origin';
  const preflight = (origin: string, path = at('/pay')) =>
    edge.send('OPTIONS', path, {
      headers: { authorization: undefined, origin, 'access-control-request-method': 'POST' },
    });

  it.each([ORIGIN, checkoutUrl])(
    'a page at %s may send requests, and the preflight lists exactly the methods and headers it may use',
    async (origin) => {
      const { status, headers, text } = await preflight(origin);
      expect({ status, text }).toEqual({ status: 204, text: '' });
      expect(headers).toMatchObject({
        [allowed]: origin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
        'access-control-max-age': '600',
        vary: 'Origin',
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    },
  );

  it.each([
    'https://evil.example',
    `${ORIGIN}.evil.example`,
    `${ORIGIN}:8443`,
    'http://shop.example',
    'null',
  ])('a page at %s gets no permission, with a token or without', async (origin) => {
    for (const { headers } of [await preflight(origin), await read(await token(), { origin })]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers['vary']).toBe('Origin');
    }
  });

  it('a page of another origin reads the responses to its token, refusals too', async () => {
    const ended = await token({ claims: { exp: inSeconds(-1) } });
    for (const [key, status] of [
      [await token(), 200],
      [ended, 401],
    ] as const) {
      const reply = await read(key, { origin: ORIGIN });
      expect(reply.status).toBe(status);
      expect(reply.headers).toMatchObject({ [allowed]: ORIGIN, vary: 'Origin' });
      expect(reply.headers['access-control-expose-headers']).toContain('Request-Id');
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('a page that another merchant registered does not read the responses to this merchant’s token', async () => {
    await registered(['https://other.example'], 1, 'm2');
    const { headers } = await read(await token(), { origin: 'https://other.example' });
    expect(headers[allowed]).toBeUndefined();
  });

  it('a page of another origin never reads a response to a secret key, and has no preflight where only keys go', async () => {
    for (const path of [at(), GROUPS, '/v1/webhooks']) {
      const { status, headers } = await edge.get(path, { headers: { origin: ORIGIN } });
      expect(status).toBe(200);
      expect(headers[allowed]).toBeUndefined();
    }
    for (const path of [at('/refund'), at('/session'), GROUPS]) {
      const { status, headers } = await preflight(ORIGIN, path);
      expect({ status, allowedOrigin: headers[allowed] }).toEqual({ status: 405, allowedOrigin: undefined });
    }
  });
});

describe('a secret key that came from a browser', () => {
  it('a secret key from a browser still works, and the dashboard receives how often and from which origins it was sent (Q29)', async () => {
    await edge.reportExposures();
    const sightings: unknown[] = [];
    const listener = edge.others.listen(noteKeyExposure.subject, ({ payload }) => sightings.push(payload));
    const { key, record } = await edge.addKey('test');
    for (let n = 0; n < 3; n++) expect((await read(key, { origin: ORIGIN })).status).toBe(200);
    await read(key);
    await read(await token(), { origin: ORIGIN });
    await edge.reportExposures();
    await eventually(() => sightings.length > 0 || undefined);
    await listener.close();
    expect(sightings).toEqual([
      {
        ...{ merchant_id: 'm1', mode: 'test', key_id: record.key_id, origin: ORIGIN, count: 3 },
        first_seen_at: expect.any(String),
        last_seen_at: expect.any(String),
      },
    ]);
  });

  it('a test key sent by a page of the API’s own host is not reported as a leak; a live key there, and a key from another origin, are (Q29, Q74)', async () => {
    await edge.reportExposures();
    const sightings: unknown[] = [];
    const listener = edge.others.listen(noteKeyExposure.subject, ({ payload }) => sightings.push(payload));
    const test = await edge.addKey('test');
    const live = await edge.addKey('live');
    const own = { origin: 'http://api.example', host: 'api.example' };
    await read(test.key, own);
    await read(test.key, { origin: ORIGIN, 'sec-fetch-site': 'same-origin' });
    await read(live.key, own);
    await read(test.key, { ...own, 'sec-fetch-site': 'same-site' });
    await read(test.key, { ...own, origin: `${own.origin}.evil.example` });
    await edge.reportExposures();
    await eventually(() => sightings.length > 2 || undefined);
    await listener.close();
    expect(sightings).toEqual(
      [
        [live, own.origin],
        [test, own.origin],
        [test, `${own.origin}.evil.example`],
      ].map(([key, origin]) =>
        expect.objectContaining({ key_id: (key as typeof test).record.key_id, origin, count: 1 }),
      ),
    );
  });
});
