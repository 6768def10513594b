import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKeyRecord } from '@gp/contracts';
import { endRolledKeys } from '../src/app/settings/api-keys.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let owner: Member;
let developer: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  owner = await dashboard.newMerchant();
  developer = await dashboard.colleague(owner, 'developer');
});

const create = (who: Member, o: object = {}) => who.post('/api/keys', { mode: 'test', name: 'server', ...o });
const idOf = (reply: { body: Readonly<Record<string, unknown>> }) => String(reply.body['id']);
const refused = { status: 403, body: { error: 'Forbidden', code: 'insufficient_scope', version: '1.0.0' } };
const told = async () =>
  (
    await dashboard.rows<{ payload: ApiKeyRecord }>(
      'select payload from outbox where group_key = $1 order by position',
      [owner.id],
    )
  ).map(({ payload }) => payload);
const listed = async (mode: string) =>
  (await owner.get(`/api/keys?mode=${mode}`)).body['keys'] as Readonly<Record<string, unknown>>[];

describe('a restricted key', () => {
  const restrictions = {
    scopes: ['webhooks', 'read'],
    expires_at: '2090-01-01T00:00:00.000Z',
    allowed_addresses: ['203.0.113.7', '2001:DB8::/48', '203.0.113.7/32'],
  };
  const stored = { ...restrictions, scopes: ['read', 'webhooks'] };
  const allowed_addresses = ['203.0.113.7/32', '2001:db8::/48'];

  it('a restricted key is shown and announced with its rights, its end and its networks (K6)', async () => {
    const made = await create(owner, restrictions);
    expect(made).toMatchObject({ status: 201, body: { ...stored, allowed_addresses } });
    expect(await listed('test')).toMatchObject([{ ...stored, allowed_addresses }]);
    expect(await told()).toMatchObject([{ ...stored, allowed_addresses }]);
  });

  it('a rolled key has the same restrictions (K6)', async () => {
    const { body } = await create(owner, restrictions);
    const rolled = await owner.post(`/api/keys/${String(body['id'])}/roll`, { overlap_seconds: 0 });
    expect(rolled).toMatchObject({ status: 201, body: { ...stored, allowed_addresses } });
  });

  it('a key without restrictions has none, as before (K6)', async () => {
    await create(owner);
    const [news] = await told();
    for (const name of ['scopes', 'expires_at', 'allowed_addresses']) expect(news).not.toHaveProperty(name);
  });

  it('a key that expires is revoked, and the edge is notified (K6)', async () => {
    const made = await create(owner, { expires_at: '2090-01-01T00:00:00Z' });
    await dashboard.rows('update api_keys set expires_at = clock_timestamp() where id = $1', [idOf(made)]);
    const ending = endRolledKeys(dashboard.parts);
    expect(await ending.runOnce(AbortSignal.timeout(5_000))).toBe('busy');
    expect(await ending.runOnce(AbortSignal.timeout(5_000))).toBe('empty');
    expect((await told()).at(-1)).toMatchObject({ revoked_at: expect.any(String), revision: 2 });
  });

  it('the loop that ends keys rests until the next one ends, and no longer (K6)', async () => {
    const made = await create(owner, { expires_at: '2090-01-01T00:00:00Z' });
    const ending = endRolledKeys(dashboard.parts);
    const rests: (number | undefined)[] = [];
    ending.onWake?.((withinMs) => void rests.push(withinMs));
    // The clock of a virtual machine may be set back by some seconds between the two statements.
    const endsIn = async (ms: number) => {
      const sql = `update api_keys set expires_at = clock_timestamp() + $2 * interval '1 ms' where id = $1`;
      await dashboard.rows(sql, [idOf(made), ms]);
      return ending.runOnce(AbortSignal.timeout(5_000));
    };
    expect([await endsIn(60_000), await endsIn(30_000)]).toEqual(['empty', 'empty']);
    for (const [index, ms] of [60_000, 30_000].entries()) {
      expect(rests[index]).toBeLessThan(ms + 1_000);
      expect(rests[index]).toBeGreaterThan(ms - 5_000);
    }
    expect(await endsIn(-60_000)).toBe('busy');
  });

  it.each([
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['everything'] }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['allowed_addresses.1', { allowed_addresses: ['203.0.113.7', 'shop.example'] }],
  ])('a restricted key with invalid restrictions is a 400 naming %s of %j', async (param, o) => {
    expect(await create(owner, o)).toMatchObject({ status: 400, body: { code: 'validation_error', param } });
  });
});

describe('a developer', () => {
  it('a developer creates no key with more rights than a developer, and by default one with the same (K7)', async () => {
    expect(await create(developer, { scopes: ['refunds'] })).toMatchObject(refused);
    const scopes = ['read', 'payments', 'webhooks', 'logs', 'test_clock'];
    expect(await create(developer)).toMatchObject({ status: 201, body: { scopes } });
  });

  it('a developer rolls no key with more rights (K7)', async () => {
    const full = idOf(await create(owner));
    expect(await developer.post(`/api/keys/${full}/roll`, { overlap_seconds: 0 })).toMatchObject(refused);
    const own = idOf(await create(developer));
    expect((await developer.post(`/api/keys/${own}/roll`, { overlap_seconds: 0 })).status).toBe(201);
  });

  it('a developer neither creates nor rolls nor revokes live keys (K7)', async () => {
    const live = idOf(await create(owner, { mode: 'live' }));
    expect(await create(developer, { mode: 'live', scopes: ['read'] })).toMatchObject(refused);
    expect(await developer.post(`/api/keys/${live}/roll`, { overlap_seconds: 0 })).toMatchObject(refused);
    expect(await developer.delete(`/api/keys/${live}`)).toMatchObject(refused);
    expect(await listed('live')).toMatchObject([{ id: live, revoked_at: null, ends_at: null }]);
  });

  it('a developer changes no live gateway, and test gateways as before (K7)', async () => {
    const body = { mode: 'live', psp_code: 'gateway_a' };
    expect(await developer.connect('gateway_a', { secret_key: 'sk' }, 'live')).toMatchObject(refused);
    expect(await developer.activate('gateway_a', 'live')).toMatchObject(refused);
    expect(await developer.post('/api/gateways/verify', body)).toMatchObject(refused);
    expect(await developer.delete('/api/gateways/gateway_a?mode=live')).toMatchObject(refused);
    expect((await developer.connect('gateway_a')).status).toBe(201);
    expect((await owner.connect('gateway_a', { secret_key: 'sk' }, 'live')).status).toBe(201);
  });
});

describe('keys of a removed member', () => {
  const memberId = async (email: string) => {
    const { members } = (await owner.get('/api/team')).body as { members: { id: string; email: string }[] };
    return members.find((member) => member.email === email)?.id ?? '';
  };

  it('keys of a removed member stay valid and are marked (K8)', async () => {
    const id = idOf(await create(developer));
    expect(await listed('test')).toMatchObject([{ id, has_maker_left: false }]);
    expect((await owner.delete(`/api/team/members/${await memberId(developer.email)}`)).status).toBe(200);
    expect(await listed('test')).toMatchObject([{ id, has_maker_left: true, revoked_at: null }]);
  });

  it('keys of a removed member are revoked with the removal on request, in both modes, and no others (K8)', async () => {
    const admin = await dashboard.colleague(owner, 'admin');
    const [test, live] = [idOf(await create(admin)), idOf(await create(admin, { mode: 'live' }))];
    const kept = idOf(await create(owner));
    const id = await memberId(admin.email);
    const { members } = (await owner.get('/api/team')).body as {
      members: { id: string; live_keys: number }[];
    };
    expect(members.find((member) => member.id === id)?.live_keys).toBe(2);
    expect((await owner.delete(`/api/team/members/${id}?end_keys=true`)).status).toBe(200);
    const all = [...(await listed('test')), ...(await listed('live'))];
    const ended = all.filter((key) => key['revoked_at'] !== null).map((key) => key['id']);
    expect(ended.toSorted()).toEqual([test, live].toSorted());
    expect(all.find((key) => key['id'] === kept)).toMatchObject({ revoked_at: null });
    const revoked = (await told()).filter(({ revoked_at }) => revoked_at !== null);
    expect(revoked.map(({ key_id }) => key_id).toSorted()).toEqual([test, live].toSorted());
  });

  it('a key of an operator is not one of a removed member (K8)', async () => {
    await create(owner);
    await dashboard.rows(`update api_keys set created_by = 'operator:ann' where merchant_id = $1`, [
      owner.id,
    ]);
    expect(await listed('test')).toMatchObject([{ has_maker_left: false }]);
  });
});
