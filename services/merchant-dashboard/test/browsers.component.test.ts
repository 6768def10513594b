import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { noteKeyExposure, type KeyExposure, type Mode } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;

beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  dashboard.forget();
});

const SHOP = 'https://shop.example';

describe('registered origins', () => {
  it('registered origins replace the whole list of a mode, and are announced with a growing revision', async () => {
    const put = (origins: string[], mode = 'test') => member.put('/api/origins', { mode, origins });
    expect((await put([SHOP, 'http://localhost:5173', SHOP])).body).toEqual({
      origins: ['http://localhost:5173', SHOP],
    });
    expect((await put([])).status).toBe(200);
    const messages = await dashboard.receive(2);
    expect(messages).toEqual([
      expect.objectContaining({
        merchant_id: member.id,
        origins: ['http://localhost:5173', SHOP],
        revision: 1,
      }),
      expect.objectContaining({ merchant_id: member.id, origins: [], revision: 2 }),
    ]);
    expect((await member.get('/api/origins?mode=test')).body).toEqual({ origins: [] });
  });

  it('registered origins of one mode are not those of the other, nor of another merchant', async () => {
    await member.put('/api/origins', { mode: 'live', origins: [SHOP] });
    expect((await member.get('/api/origins?mode=live')).body).toEqual({ origins: [SHOP] });
    expect((await member.get('/api/origins?mode=test')).body).toEqual({ origins: [] });
    const other = await dashboard.newMerchant();
    expect((await other.get('/api/origins?mode=live')).body).toEqual({ origins: [] });
  });

  it('an invalid origin is a 400 that names it, and nothing changes', async () => {
    await member.put('/api/origins', { mode: 'test', origins: [SHOP] });
    const answer = await member.put('/api/origins', {
      mode: 'test',
      origins: ['https://a.example', 'http://b.example'],
    });
    expect(answer).toMatchObject({ status: 400, body: { param: 'origins.1' } });
    expect((await member.get('/api/origins?mode=test')).body).toEqual({ origins: [SHOP] });
  });
});

describe('a secret key seen in a browser (Q29)', () => {
  const newKey = async (mode: Mode = 'test') =>
    String((await member.post('/api/keys', { mode, name: 'server' })).body['id']);
  const sighting = (key_id: string, o: Partial<KeyExposure> = {}): KeyExposure => ({
    merchant_id: member.id,
    mode: 'test',
    key_id,
    origin: SHOP,
    count: 3,
    first_seen_at: '2026-01-01T00:00:00.000Z',
    last_seen_at: '2026-01-01T00:00:04.000Z',
    ...o,
  });
  const publish = (payload: KeyExposure, id = randomUUID()) =>
    dashboard.others.publish({ id, subject: noteKeyExposure.subject, mode: payload.mode, payload });
  const seenIn = async (keyId: string) => {
    const { keys } = (await member.get('/api/keys?mode=test')).body as {
      keys: { id: string; seen_in_browsers: { origin: string; count: number }[] }[];
    };
    return keys.find(({ id }) => id === keyId)?.seen_in_browsers ?? [];
  };

  it('a secret key seen in a browser is shown with the key: where, how often, when; the audit log has each origin once (Q29)', async () => {
    const key = await newKey();
    expect(await seenIn(key)).toEqual([]);
    await publish(sighting(key));
    await publish(sighting(key, { count: 4, last_seen_at: '2026-01-02T00:00:00.000Z' }));
    const seen = await eventually(async () => {
      const found = await seenIn(key);
      return found[0]?.count === 7 ? found : undefined;
    });
    expect(seen).toEqual([
      {
        origin: SHOP,
        count: 7,
        first_seen_at: '2026-01-01T00:00:00.000Z',
        last_seen_at: '2026-01-02T00:00:00.000Z',
      },
    ]);
    const audit = await dashboard.rows<{ details: unknown }>(
      `select details from audit_log where merchant_id = $1 and action = 'api_key.seen_in_browser'`,
      [member.id],
    );
    expect(audit).toEqual([{ details: { mode: 'test', key_id: key, origin: SHOP } }]);
  });

  it('a sighting reported twice counts once; one of an unknown key or another mode does not count', async () => {
    const key = await newKey();
    const id = randomUUID();
    for (const wrong of [{ merchant_id: randomUUID() }, { mode: 'live' as const }, { key_id: randomUUID() }])
      await publish(sighting(key, wrong));
    await publish(sighting(key), id);
    await publish(sighting(key), id);
    await publish(sighting(key, { origin: 'https://last.example' }));
    await eventually(async () => ((await seenIn(key)).length === 2 ? true : undefined));
    expect((await seenIn(key)).map(({ count }) => count)).toEqual([3, 3]);
  });

  it('invented origins without end fill no table', async () => {
    const key = await newKey();
    for (let n = 0; n < 24; n++) await publish(sighting(key, { origin: `https://o${n}.example`, count: 1 }));
    const seen = await eventually(async () => {
      const found = await seenIn(key);
      return found.reduce((sum, { count }) => sum + count, 0) === 24 ? found : undefined;
    });
    expect(seen.length).toBeLessThanOrEqual(25);
    expect(seen.some(({ origin }) => origin === '(others)')).toBe(true);
  });
});

describe('sessions of a group', () => {
  it('sessions of a group are revoked by checkout for this merchant and mode, and the audit log names the user', async () => {
    const group = randomUUID();
    const answer = await member.post(`/api/group-payments/${group}/revoke-sessions`, { mode: 'test' });
    expect(answer).toMatchObject({ status: 200, body: { epoch: 1 } });
    expect(dashboard.services.revoked).toContainEqual({
      merchant_id: member.id,
      mode: 'test',
      group_id: group,
    });
    const audit = await dashboard.rows<{ actor: string }>(
      `select actor from audit_log where merchant_id = $1 and action = 'sessions.revoke_requested'`,
      [member.id],
    );
    expect(audit).toEqual([{ actor: member.email }]);
    expect((await member.post('/api/group-payments/x/revoke-sessions', { mode: 'test' })).status).toBe(404);
  });
});
