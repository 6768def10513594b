import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { countOpenGroups, noteGateway, type GatewayConnection } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { verifyConnections } from '../src/app/settings/verify-connections.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  dashboard.others.serve(countOpenGroups, () => Promise.resolve({ gateways: [] }));
});
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
  await dashboard.rows('delete from outbox');
  dashboard.services.put.length = 0;
  dashboard.services.noted.length = 0;
  dashboard.forget();
});

const shown = async (mode = 'test') =>
  ((await member.get(`/api/gateways?mode=${mode}`)).body['gateways'] as GatewayConnection[]).map(
    ({ psp_code, version, active }) => ({ psp_code, version, active }),
  );
const listPublished = async () =>
  (await dashboard.rows<{ payload: GatewayConnection }>('select payload from outbox order by position')).map(
    ({ payload }) => payload,
  );
const audited = async () =>
  (
    await dashboard.rows<{ action: string }>(
      `select action from audit_log where merchant_id = $1 and action like 'gateway.%' order by at, id`,
      [member.id],
    )
  ).map(({ action }) => action);
const disconnect = (psp: string, mode = 'test') => member.delete(`/api/gateways/${psp}?mode=${mode}`);

describe('201 connected', () => {
  it('a connection gives the secrets to the adapter, keeps their version here, and is active when it is the first', async () => {
    const credentials = { secret_key: 'sk_sentinel', webhook_secret: 'whsec_sentinel' };
    const { status, body } = await member.connect('gateway_a', credentials);
    expect(status).toBe(201);
    expect(body).toEqual({
      mode: 'test',
      psp_code: 'gateway_a',
      version: 1,
      active: true,
      verified: true,
      connected_at: expect.stringMatching(/Z$/),
    });
    expect(dashboard.services.put).toEqual([
      { psp: 'gateway_a', merchant_id: member.id, mode: 'test', credentials },
    ]);
    for (const table of ['gateway_connections', 'outbox', 'audit_log'])
      expect(JSON.stringify(await dashboard.rows(`select t::text from ${table} t`))).not.toContain(
        'sentinel',
      );
  });

  it('a second gateway waits to be chosen', async () => {
    await member.connect('gateway_a');
    expect((await member.connect('gateway_b')).body).toMatchObject({ active: false });
    expect(await shown()).toEqual([
      { psp_code: 'gateway_a', version: 1, active: true },
      { psp_code: 'gateway_b', version: 1, active: false },
    ]);
  });

  it('a gateway of one mode is not shown in the other', async () => {
    await member.connect('gateway_a', { secret_key: 'x' }, 'live');
    expect(await shown('test')).toEqual([]);
    expect((await member.connect('gateway_b')).body).toMatchObject({ active: true });
  });

  it('new secrets of the active gateway replace it; those of another gateway do not', async () => {
    await member.connect('gateway_a', { secret_key: 'one' });
    await member.connect('gateway_b', { secret_key: 'one' });
    await member.connect('gateway_a', { secret_key: 'two' });
    await member.connect('gateway_b', { secret_key: 'two' });
    expect(await shown()).toEqual([
      { psp_code: 'gateway_a', version: 2, active: true },
      { psp_code: 'gateway_b', version: 2, active: false },
    ]);
  });

  it('the same secrets again keep the version and change nothing', async () => {
    const first = await member.connect('gateway_a');
    expect((await member.connect('gateway_a')).body).toEqual(first.body);
    expect(await shown()).toEqual([{ psp_code: 'gateway_a', version: 1, active: true }]);
  });

  it('after a disconnect the same secrets bring the connection back to life', async () => {
    await member.connect('gateway_a');
    await disconnect('gateway_a');
    expect((await member.connect('gateway_a')).body).toMatchObject({ version: 1, active: true });
    expect((await listPublished()).at(-1)).toMatchObject({
      version: 1,
      active: true,
      revoked_at: null,
      revision: 3,
    });
  });

  it('secrets that were entered earlier but stored later do not replace newer ones', async () => {
    const usual = dashboard.services.version;
    let store = (): void => undefined;
    const newerIsStored = new Promise<void>((resolve) => (store = resolve));
    dashboard.services.version = async (at, credentials) => {
      const version = await usual(at, credentials);
      if (version === 1) await newerIsStored;
      return version;
    };
    const older = member.connect('gateway_a', { secret_key: 'old' });
    while (dashboard.services.put.length === 0) await new Promise(setImmediate);
    await member.connect('gateway_a', { secret_key: 'new' });
    store();
    expect((await older).body).toMatchObject({ version: 1, active: false });
    dashboard.services.version = usual;
    expect(await shown()).toEqual([{ psp_code: 'gateway_a', version: 2, active: true }]);
  });

  it('a connection is sent to the ledger by call and by event, with the same revision', async () => {
    await member.connect('gateway_a');
    const connection = {
      merchant_id: member.id,
      mode: 'test',
      psp_code: 'gateway_a',
      version: 1,
      active: true,
      revoked_at: null,
      revision: 1,
    };
    expect(dashboard.services.noted).toEqual([connection]);
    expect(await dashboard.receive(1)).toEqual([connection]);
  });
});

describe('B15 keys that the gateway could not be asked about', () => {
  const keys = { mode: 'test', psp_code: 'gateway_a' };
  const verified = async () =>
    ((await member.get('/api/gateways?mode=test')).body['gateways'] as { verified: boolean }[]).map(
      (gateway) => gateway.verified,
    );
  const ask = () => member.post('/api/gateways/verify', keys);
  beforeEach(() => {
    dashboard.services.isReachable = false;
    dashboard.services.verify = () => Promise.reject(new AppError('gateway_unavailable'));
  });
  afterEach(() => {
    dashboard.services.isReachable = true;
    dashboard.services.verify = () => Promise.resolve({ valid: true, reason: null });
  });

  it('unconfirmed keys are not active, cannot be made active, and are not announced (B15)', async () => {
    expect((await member.connect('gateway_a')).body).toMatchObject({ active: false, verified: false });
    expect((await member.activate('gateway_a')).status).toBe(409);
    expect(await shown()).toEqual([{ psp_code: 'gateway_a', version: 1, active: false }]);
    expect(await listPublished()).toEqual([]);
    expect((await ask()).status).toBe(503);
  });

  it('unconfirmed keys leave the older ones of the gateway in use (B15)', async () => {
    dashboard.services.isReachable = true;
    await member.connect('gateway_a', { secret_key: 'one' });
    dashboard.services.isReachable = false;
    await member.connect('gateway_a', { secret_key: 'two' });
    expect(await shown()).toEqual([{ psp_code: 'gateway_a', version: 1, active: true }]);
    expect(await verified()).toEqual([false]);
    expect((await member.activate('gateway_a')).body).toMatchObject({ version: 1, active: true });
  });

  it('unconfirmed keys are used from the check that confirms them, and are then announced (B15)', async () => {
    await member.connect('gateway_a');
    dashboard.services.verify = () => Promise.resolve({ valid: false, reason: 'unknown key' });
    expect((await ask()).body).toEqual({ valid: false, reason: 'unknown key' });
    expect(await listPublished()).toEqual([]);
    dashboard.services.verify = () => Promise.resolve({ valid: true, reason: null });
    expect((await ask()).body).toEqual({ valid: true, reason: null });
    expect((await ask()).status).toBe(200);
    expect(await shown()).toEqual([{ psp_code: 'gateway_a', version: 1, active: true }]);
    expect(await listPublished()).toMatchObject([{ version: 1, active: true, revision: 1 }]);
    expect(await audited()).toEqual(['gateway.connected', 'gateway.verified']);
  });

  it('unconfirmed keys are checked again by the dashboard itself, ever more rarely, and not after a disconnect (B15)', async () => {
    const loop = verifyConnections(dashboard.parts);
    const runAfter = async (minutes: number) => {
      await dashboard.rows(
        `update gateway_connections set checked_at = checked_at - make_interval(mins => $2),
           created_at = created_at - make_interval(mins => $2) where merchant_id = $1`,
        [member.id, minutes],
      );
      await loop.runOnce(new AbortController().signal);
      return verified();
    };
    await member.connect('gateway_a');
    expect(await runAfter(2)).toEqual([false]);
    dashboard.services.verify = () => Promise.resolve({ valid: true, reason: null });
    expect(await runAfter(0)).toEqual([false]);
    expect(await runAfter(2)).toEqual([true]);
    await member.connect('gateway_b');
    await disconnect('gateway_b');
    expect(await runAfter(60)).toEqual([true]);
    expect(await audited()).toEqual([
      ...['gateway.connected', 'gateway.verified', 'gateway.connected', 'gateway.disconnected'],
    ]);
  });
});

describe('200 verified', () => {
  it('a verification returns what the gateway says of the newest secrets', async () => {
    await member.connect('gateway_a');
    dashboard.services.verify = () => Promise.resolve({ valid: false, reason: 'unknown key' });
    const body = { mode: 'test', psp_code: 'gateway_a' };
    expect((await member.post('/api/gateways/verify', body)).body).toEqual({
      valid: false,
      reason: 'unknown key',
    });
  });
});

describe('200 activated', () => {
  it('an activation makes the chosen gateway active and publishes the change', async () => {
    await member.connect('gateway_a');
    await member.connect('gateway_b');
    const { status, body } = await member.activate('gateway_b');
    expect(status).toBe(200);
    expect(body).toMatchObject({ psp_code: 'gateway_b', active: true });
    expect(await shown()).toEqual([
      { psp_code: 'gateway_a', version: 1, active: false },
      { psp_code: 'gateway_b', version: 1, active: true },
    ]);
    expect((await listPublished()).at(-1)).toMatchObject({
      psp_code: 'gateway_b',
      active: true,
      revision: 3,
    });
  });

  it('many switches at once leave one active, and revisions in the order of the commits', async () => {
    await member.connect('gateway_a');
    await member.connect('gateway_b');
    const switches = Array.from({ length: 10 }, (_, at) => (at % 2 ? 'gateway_a' : 'gateway_b'));
    const replies = await Promise.all(switches.map((psp) => member.activate(psp)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const records = await listPublished();
    expect(records.map(({ revision }) => revision)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    const active = (await shown()).filter((connection) => connection.active);
    expect(active).toEqual([expect.objectContaining({ psp_code: records.at(-1)?.psp_code })]);
  });

  it('an activation of a gateway that is not connected, or no longer, is a 409 and changes nothing', async () => {
    await member.connect('gateway_a');
    await member.connect('gateway_b');
    await disconnect('gateway_b');
    const { status, body } = await member.activate('gateway_b');
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'no_active_gateway', message: 'gateway_b is not connected' });
    expect(await shown()).toEqual([{ psp_code: 'gateway_a', version: 1, active: true }]);
  });
});

describe('200 disconnected', () => {
  it('a disconnect revokes every version of the gateway, publishes each change, and leaves none active', async () => {
    await member.connect('gateway_a', { secret_key: 'one' });
    await member.connect('gateway_a', { secret_key: 'two' });
    expect((await disconnect('gateway_a')).status).toBe(200);
    expect(await shown()).toEqual([]);
    const revoked = (await listPublished()).slice(2);
    expect(revoked.map(({ version }) => version).sort()).toEqual([1, 2]);
    expect(revoked.map(({ revision }) => revision)).toEqual([3, 4]);
    for (const { active, revoked_at } of revoked)
      expect([active, revoked_at]).toEqual([false, expect.any(String)]);
  });

  it('the next gateway that is connected becomes active again', async () => {
    await member.connect('gateway_a');
    await disconnect('gateway_a');
    expect((await member.connect('gateway_b')).body).toMatchObject({ active: true });
  });

  it('a disconnect of a gateway that is not connected changes, publishes and audits nothing', async () => {
    expect((await disconnect('gateway_b')).status).toBe(200);
    expect(await listPublished()).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  it('a disconnect that races with connecting leaves stored and published state that agree with the last commit', async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all([member.connect('gateway_a'), disconnect('gateway_a')]);
      const last = (await listPublished()).at(-1);
      expect((await shown()).length).toBe(last?.revoked_at === null ? 1 : 0);
    }
    const revisions = (await listPublished()).map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, at) => at + 1));
  });
});

describe('audit', () => {
  it('the audit log names the user and the action, without secrets', async () => {
    await member.connect('gateway_a', { secret_key: 'sentinel' });
    await member.activate('gateway_a');
    await disconnect('gateway_a');
    expect(await audited()).toEqual(['gateway.connected', 'gateway.activated', 'gateway.disconnected']);
    const rows = await dashboard.rows<{ actor: string; text: string }>(
      'select actor, a::text as text from audit_log a where merchant_id = $1',
      [member.id],
    );
    expect(new Set(rows.map(({ actor }) => actor))).toEqual(new Set([member.email]));
    expect(JSON.stringify(rows)).not.toContain('sentinel');
  });
});

describe('refusals', () => {
  it('a refusal of the adapter passes through with the field, and nothing is stored', async () => {
    const usual = dashboard.services.version;
    dashboard.services.version = () =>
      Promise.reject(new AppError('validation_error', { message: 'no', param: 'secret_key' }));
    const { status, body } = await member.connect('gateway_a');
    dashboard.services.version = usual;
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'validation_error', param: 'secret_key' });
    expect(await shown()).toEqual([]);
    expect(await listPublished()).toEqual([]);
  });

  it('a connection while the adapter is away is a 503, and nothing is stored', async () => {
    const { status, body, headers } = await member.connect('gateway_c');
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    expect(headers['retry-after']).toBeDefined();
    expect(await listPublished()).toEqual([]);
  });

  it.each([
    ['psp_code', { psp_code: 'gateway_x' }],
    ['credentials.secret_key', { credentials: { secret_key: 1 } }],
    ['credentials.secret_key', { credentials: { secret_key: '\u0000' } }],
    ['credentials', { credentials: { 'a\nb': 'x' } }],
    ['credentials', { credentials: ['x'] }],
    ['credentials', { credentials: null }],
  ])('a connection with invalid input is a 400 naming %s of %j', async (param, changed) => {
    const credentials = { secret_key: 'x' };
    const body = { mode: 'test', psp_code: 'gateway_a', credentials, ...changed };
    const reply = await member.post('/api/gateways', body);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'validation_error', param });
    expect(dashboard.services.put).toEqual([]);
  });
});

describe('a ledger that is away', () => {
  it('a merchant can connect while the ledger is away: the ledger gets the event later', async () => {
    await dashboard.services.ledger.close();
    const { status } = await member.connect('gateway_a');
    expect(status).toBe(201);
    expect(await dashboard.receive(1)).toMatchObject([{ psp_code: 'gateway_a', revision: 1 }]);
    expect(noteGateway.subject).toBe('rpc.ledger.gateways.note.v1');
  });
});
