import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatApiKey } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { authenticate } from '../src/app/callers/authenticate.ts';
import { followKeys } from '../src/app/directories/follow-changes.ts';
import { toKeyMessage, newKey, openEdge, previousPepper, type Edge } from './support/edge.ts';

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());

const list = (key: string) => edge.get('/v1/group-payments', { key });

/** The look-ups of keys that a request costs, without changes that are stored meanwhile. */
async function lookedUp(request: () => Promise<unknown>): Promise<string[]> {
  const looked: string[] = [];
  const query = edge.db.query.bind(edge.db);
  edge.db.query = ((s: { name: string }, v: never) => (looked.push(s.name), query(s as never, v))) as never;
  await request();
  edge.db.query = query;
  return looked.filter((name) => name === 'api-gateway.find-api-keys');
}

const shape = {
  error: 'Unauthorized',
  message: 'missing or invalid authentication',
  version: '1.0.0',
  code: 'unauthorized',
};

describe('401 missing or invalid authentication', () => {
  const forged = newKey('test').key;
  it.each([
    ['no header', undefined, /is missing/],
    ['an empty header', '', /is missing/],
    ['another scheme', 'Basic c2tfdGVzdF8=', /does not begin with Bearer/],
    ['the key alone', forged, /does not begin with Bearer/],
    [
      'a key with a wrong checksum',
      `Bearer ${forged.slice(0, -1)}${forged.endsWith('0') ? '1' : '0'}`,
      /mistyped .* checksum/,
    ],
    ['a test key renamed to live', `Bearer ${forged.replace('test', 'live')}`, /mistyped .* checksum/],
    ['a well-formed key nobody was given', `Bearer ${forged}`, /not known .* revoked, or has expired/],
    ['two keys', `Bearer ${forged} ${forged}`, /one key after Bearer/],
    ['a kilobyte of junk', `Bearer ${'x'.repeat(1_000)}`, /neither a secret key/],
  ])(
    'a request with %s is refused in the documented shape, and told what is wrong with it',
    async (_what, authorization, hint) => {
      const headers = { authorization };
      const reply = await edge.get('/v1/group-payments', { headers });
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject(shape);
      expect(reply.body['hint']).toMatch(hint);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
      expect(reply.headers['request-id']).toBe(reply.body['request_id']);
    },
  );

  it('a request without authentication is refused before its body is checked', async () => {
    const headers = { authorization: 'Bearer x', 'content-type': 'text/plain' };
    const reply = await edge.post('/v1/group-payments', 'x'.repeat(300_000), { headers });
    expect(reply.status).toBe(401);
  });

  it('every operation refuses a stranger', async () => {
    const id = '0198c3f0-0000-7000-8000-000000000000';
    const calls: [string, string][] = [
      ['GET', '/v1/group-payments'],
      ['POST', '/v1/group-payments'],
      ['GET', `/v1/group-payments/${id}`],
      ['PATCH', `/v1/group-payments/${id}`],
      ['POST', `/v1/group-payments/${id}/pay`],
      ['POST', `/v1/group-payments/${id}/confirm`],
      ['POST', `/v1/group-payments/${id}/session`],
      ['POST', `/v1/group-payments/${id}/roll-checkout-link`],
      ['POST', `/v1/group-payments/${id}/roll-organiser-link`],
      ['POST', `/v1/group-payments/${id}/cancel`],
      ['GET', `/v1/group-payments/${id}/payments`],
      ['GET', '/v1/webhooks'],
      ['POST', '/v1/webhooks'],
      ['GET', `/v1/webhooks/${id}`],
      ['PATCH', `/v1/webhooks/${id}`],
      ['DELETE', `/v1/webhooks/${id}`],
    ];
    for (const [method, path] of calls) {
      expect((await edge.send(method, path, { key: forged })).status).toBe(401);
    }
  });

  it('a malformed key is refused without a look-up', async () => {
    expect(await lookedUp(() => list(`sk_test_${'a'.repeat(38)}`))).toEqual([]);
  });
});

describe('403 insufficient scope', () => {
  it('an operation that does not name the kind of credential refuses it with 403', async () => {
    const { key, record } = newKey('test');
    const keys = { find: () => Promise.resolve(record) };
    const admit = authenticate({
      keys,
      computeDigests: () => [record.digest],
      verifyToken: () => Promise.reject(new Error('no token was given')),
      onExposure: () => undefined,
      onUse: () => undefined,
    });
    const credentials = { authorization: `Bearer ${key}` };
    const operation = { method: 'GET', tag: 'Group payments' } as const;
    await expect(admit(credentials, { ...operation, accepts: ['secret_key'] })).resolves.toMatchObject({
      merchantId: 'm1',
    });
    const closed = admit(credentials, { ...operation, accepts: [] });
    await expect(closed).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('200 with a live key', () => {
  it('the authentication scheme is accepted in any case', async () => {
    const headers = { authorization: `bearer ${edge.key}` };
    expect((await edge.get('/v1/group-payments', { headers })).status).toBe(200);
  });

  it('a key stored under the pepper from before a rotation still works', async () => {
    const { key } = await edge.addKey('live', { pepper_id: 'p0' }, previousPepper);
    expect((await list(key)).status).toBe(200);
  });

  it('a key works as soon as the dashboard has announced it', async () => {
    const { key, record } = newKey('live');
    await edge.others.publish(toKeyMessage(record));
    await eventually(async () => ((await list(key)).status === 200 ? true : undefined));
  });

  it('the mode comes from the key, and a cached key needs no look-up', async () => {
    const { key } = await edge.addKey('live');
    expect(await lookedUp(() => list(key))).toHaveLength(1);
    expect(await lookedUp(() => list(key))).toEqual([]);
    expect(edge.fakes.received.list.at(-1)).toMatchObject({ merchant_id: 'm1', mode: 'live' });
  });
});

describe('a revoked key', () => {
  const revoked = (record: ReturnType<typeof newKey>['record'], revision: number) => ({
    ...record,
    revoked_at: new Date().toISOString(),
    revision,
  });
  /** An announcement counts for ten seconds by the clock of the test; the projection follows in real time. */
  const isStored = ({ key_id }: ReturnType<typeof newKey>['record']) =>
    eventually(async () => {
      const revoked = 'select 1 from api_keys where key_id = $1 and revoked_at is not null';
      return (await edge.rows(revoked, [key_id])).length === 1 || undefined;
    });

  it('a revoked key is refused at once, and stays refused when it is looked up again', async () => {
    const { key, record } = await edge.addKey('test');
    expect((await list(key)).status).toBe(200);
    await edge.others.publish(toKeyMessage(revoked(record, 2)));
    // The clock stands still: what is remembered of the key would let it in for ever.
    await eventually(async () => ((await list(key)).status === 401 ? true : undefined));
    await isStored(record);
    edge.pass(10_001);
    expect((await list(key)).status).toBe(401);
  });

  it('a revoked key stays refused while its projection is still the old one', async () => {
    const { key, record } = await edge.addKey('test');
    await list(key);
    edge.others.announce(`evt.merchant.api_key.changed.v1.m1`, revoked(record, 2));
    await eventually(async () => ((await list(key)).status === 401 ? true : undefined));
    await isStored(record);
    edge.pass(10_001);
    expect((await list(key)).status).toBe(401);
  });

  it('a revoked key whose announcement was missed is refused after ten seconds', async () => {
    const { key, record } = await edge.addKey('test');
    await list(key);
    await edge.rows('update api_keys set revoked_at = now(), revision = 2 where key_id = $1', [
      record.key_id,
    ]);
    expect((await list(key)).status).toBe(200);
    edge.pass(10_001);
    expect((await list(key)).status).toBe(401);
  });

  it('a revoked key is not revived by an older announcement', async () => {
    const { key, record } = await edge.addKey('test', { revision: 5, revoked_at: new Date().toISOString() });
    await edge.others.publish(toKeyMessage({ ...record, revoked_at: null, revision: 4 }));
    const { key: marker, record: markerRecord } = newKey('test');
    await edge.others.publish(toKeyMessage(markerRecord));
    await eventually(async () => ((await list(marker)).status === 200 ? true : undefined));
    edge.pass(10_001);
    expect((await list(key)).status).toBe(401);
  });

  it('another merchant can neither take a key over nor revoke it', async () => {
    const { record } = await edge.addKey('test');
    const revoked_at = new Date().toISOString();
    await followKeys(edge.db)({ ...record, merchant_id: 'thief', revoked_at, revision: 9 });
    await followKeys(edge.db)({ ...record, mode: 'live', revoked_at, revision: 9 });
    const rows = await edge.rows(
      'select merchant_id, mode, revoked_at, revision from api_keys where key_id = $1',
      [record.key_id],
    );
    expect(rows).toEqual([{ merchant_id: 'm1', mode: 'test', revoked_at: null, revision: 1n }]);
  });
});

describe('what is stored of a key', () => {
  it('the stored form of a key is never the key', async () => {
    const { key } = await edge.addKey('test');
    const stored = JSON.stringify(await edge.rows('select to_jsonb(k) from api_keys k'));
    expect(stored).not.toContain(key.slice(8, 40));
    expect(formatApiKey('test', key.slice(8, 40))).toBe(key);
  });
});

describe('routing', () => {
  it('an unknown path is a 404 in the documented shape', async () => {
    const reply = await edge.get('/v1/nothing');
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ error: 'Not Found', version: '1.0.0', code: 'route_not_found' });
  });

  it('a 405 names the methods of a known path; no origin is allowed', async () => {
    const reply = await edge.send('OPTIONS', '/v1/webhooks', { headers: { origin: 'https://shop.example' } });
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('GET, HEAD, POST');
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('a body that is too large or no JSON is a 413 or 415', async () => {
    expect((await edge.post('/v1/group-payments', Buffer.alloc(257 * 1024, 32))).status).toBe(413);
    const headers = { 'content-type': 'text/xml' };
    expect((await edge.post('/v1/group-payments', '<a/>', { headers })).status).toBe(415);
  });
});
