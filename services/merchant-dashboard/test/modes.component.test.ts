import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { revokeGroupSessions } from '../src/app/payments/group-sessions.ts';
import { routes } from '../src/http/routes.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { refuseEverything } from './support/refuse-everything.ts';

let dashboard: Dashboard;
let member: Member;
/** Calls to other services, and the rows of the audit log by then. */
const received: { request: Record<string, unknown>; noted: string[] }[] = [];
const noted = async () => {
  const rows = await dashboard.rows<{ action: string }>(
    'select action from audit_log where merchant_id = $1',
    [member.id],
  );
  return rows.map(({ action }) => action);
};
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  refuseEverything(dashboard.others, async (request) => {
    received.push({ request, noted: await noted() });
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => void (received.length = 0));

const id = '0198c3f0-0000-7000-8000-00000000000a';
/** Bodies with which each writing route comes as far as asking. */
const bodies: Readonly<Record<string, object>> = {
  'POST group-payments/:id/refund': { slot_ids: [id] },
  'POST group-payments/:id/cancel': {},
  'POST group-payments/:id/roll-checkout-link': {},
  'POST group-payments/:id/roll-organiser-link': {},
  'POST webhooks': { url: 'https://shop.example/hooks' },
  'PATCH webhooks/:id': { enabled: false },
  'POST webhooks/:id/roll-secret': { overlap_seconds: 0 },
  'POST webhooks/:id/test': { event_type: 'group_payment.paid' },
  'POST webhooks/:id/recover': { since: '2026-01-01T00:00:00Z' },
};

/** Queries without which a route asks nothing. */
const queries: Readonly<Record<string, string>> = {
  'GET search': '?text=dinner',
  'GET statement/export': '?format=csv',
  'GET movements/export': '?format=csv',
  'GET group-payments/export': '?format=csv',
  'GET payments/export': '?format=csv',
  'GET events/export': '?format=jsonl',
  'GET requests/export': '?format=jsonl',
  'GET webhooks/:id/deliveries/export': '?format=csv',
};

describe.each(['test', 'live'] as const)('in %s mode', (mode) => {
  it('every call carries the session’s merchant and the mode of the address (S9)', async () => {
    const own = routes(dashboard.parts).filter(({ path }) => path.startsWith(`/api/${mode}/`));
    // Creations by hand, of which the test clock is a part, have a test file of their own.
    const elsewhere = new Set([
      'POST group-payments',
      'changes',
      'setup',
      'clock',
      'clock/advance',
      'clock/reset',
      'sandbox-account',
      'saved-filters',
      'saved-filters/:id',
    ]);
    for (const { method, path } of own) {
      const route = path.slice(`/api/${mode}/`.length);
      if (elsewhere.has(route) || elsewhere.has(`${method} ${route}`)) continue;
      const before = received.length;
      const body = bodies[`${method} ${route}`];
      const query = queries[`${method} ${route}`] ?? '';
      await dashboard.send(method, path.replaceAll(/:[a-z_]+/g, id) + query, {
        cookie: member.cookie,
        headers: { 'idempotency-key': randomUUID() },
        ...(body && { body }),
      });
      expect({ route: `${method} ${route}`, asked: received.length > before }).toMatchObject({ asked: true });
    }
    for (const { request } of received) expect(request).toMatchObject({ merchant_id: member.id, mode });
    expect(received.length).toBeGreaterThan(15);
  });

  it('a merchant or mode in a query or a body changes neither', async () => {
    for (const path of [
      'group-payments',
      'customers',
      `customers/${id}/payments`,
      'group-payments/export',
      'payments/export',
      'events',
      'events/export',
      'requests',
      'requests/export',
      'search',
      'statement',
      'statement/export',
      'charts/money',
      'charts/webhooks',
    ])
      for (const wish of ['mode=live', 'mode=test', `merchant_id=${randomUUID()}`])
        expect((await member.get(`/api/${mode}/${path}?${wish}`)).status).toBe(400);
    expect(received).toEqual([]);
  });
});

describe('where money moves', () => {
  const refund = (key?: string) =>
    dashboard.send('POST', `/api/live/group-payments/${id}/refund`, {
      cookie: member.cookie,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      body: {},
    });

  it('a refund without an Idempotency-Key is a 400, and no service is called', async () => {
    const { status, body } = await refund();
    expect({ status, body }).toMatchObject({ status: 400, body: { param: 'Idempotency-Key' } });
    expect(received).toEqual([]);
  });

  it('the same key is the same command, another key another, and none is one of the API’s', async () => {
    for (const key of ['k1', 'k1', 'k2']) await refund(key);
    const commands = received.map(({ request }) => request['command_id']);
    expect(commands[0]).toBe(commands[1]);
    expect(commands[2]).not.toBe(commands[0]);
    expect(received[0]?.request).toMatchObject({ source: 'dashboard', group_id: id });
  });

  it('the audit log has a refund also when its response was lost', async () => {
    await refund('k3');
    const rows = await dashboard.rows<{ details: unknown }>(
      `select details from audit_log where action = 'group_payment.refund_requested' and merchant_id = $1`,
      [member.id],
    );
    expect(rows.at(-1)?.details).toEqual({ mode: 'live', group_payment_id: id });
  });
});

describe('what another service is asked to do', () => {
  const hook = `/api/live/webhooks/${id}`;
  const acts: [string, string, object | undefined, string][] = [
    ['POST', '/api/live/webhooks', { url: 'https://shop.example/hooks' }, 'webhook.create_requested'],
    ['PATCH', hook, { url: 'https://other.example/hooks' }, 'webhook.change_requested'],
    ['DELETE', hook, undefined, 'webhook.delete_requested'],
    ['POST', `${hook}/roll-secret`, { overlap_seconds: 0 }, 'webhook.secret_roll_requested'],
    ['POST', `${hook}/recover`, { since: '2026-01-01T00:00:00Z' }, 'webhook.recovery_requested'],
    ['POST', '/api/test/clock/advance', { seconds: 60 }, 'test_clock.advance_requested'],
    ['POST', '/api/test/clock/reset', {}, 'test_clock.reset_requested'],
  ];
  it.each(acts)(
    'a command to another service is in the audit log before it is sent: %s %s %j',
    async (method, path, body, action) => {
      const { cookie } = member;
      expect((await dashboard.send(method, path, { cookie, body })).status).toBe(404);
      expect(received.length).toBeGreaterThan(0);
      expect(received.at(-1)?.noted).toContain(action);
    },
  );

  it('so is the replacement of a checkout link; it has to have an Idempotency-Key (X13)', async () => {
    const path = `/api/live/group-payments/${id}/roll-checkout-link`;
    expect(await member.post(path, {})).toMatchObject({ status: 400, body: { param: 'Idempotency-Key' } });
    expect(received).toEqual([]);
    const headers = { 'idempotency-key': 'roll' };
    expect((await dashboard.send('POST', path, { cookie: member.cookie, headers, body: {} })).status).toBe(
      404,
    );
    expect(received.at(-1)?.noted).toContain('checkout_link.roll_requested');
    expect(received.at(-1)?.request).toMatchObject({ group_id: id, actor: `dashboard:${member.email}` });
  });

  it('so is the end of a group’s sessions, also when checkout does not answer', async () => {
    const revokeSessions = () => Promise.reject(new Error('away'));
    const services = { ...dashboard.parts.services, revokeSessions };
    const revoke = revokeGroupSessions({ ...dashboard.parts, services });
    const actor = { merchantId: member.id, name: member.email };
    await expect(revoke(actor, { mode: 'live', groupId: id })).rejects.toThrow('away');
    expect(await noted()).toContain('sessions.revoke_requested');
  });
});

it('an unknown mode is a 404', async () => {
  expect((await member.get('/api/prod/group-payments')).status).toBe(404);
});
