import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
});
afterAll(() => dashboard?.close());

const as = (role: string) =>
  dashboard.rows('update users set role = $2 where email = $1', [member.email, role]);
const writes = [
  ['POST', '/api/keys'],
  ['DELETE', '/api/keys/0198c3f0-0000-7000-8000-00000000000a'],
  ['POST', '/api/gateways'],
  ['POST', '/api/gateways/verify'],
  ['PUT', '/api/gateways/active'],
  ['DELETE', '/api/gateways/gateway_a?mode=test'],
] as const;
const reads = ['/api/me', '/api/keys?mode=test', '/api/gateways?mode=test'];

describe.each(['support', 'viewer'])('%s', (role) => {
  it.each(writes)('may not %s %s, whatever the body', async (method, path) => {
    await as(role);
    for (const body of [undefined, {}, '{']) {
      const reply = await dashboard.send(method, path, { cookie: member.cookie, body });
      expect(reply.status).toBe(401);
      expect(reply.body).toMatchObject({ code: 'insufficient_scope' });
    }
  });

  it.each(reads)('may see %s', async (path) => {
    await as(role);
    expect((await member.get(path)).status).toBe(200);
  });
});

describe.each(['owner', 'admin', 'developer'])('%s', (role) => {
  it('may create a key and connect a gateway', async () => {
    await as(role);
    expect((await member.post('/api/keys', { mode: 'test', name: role })).status).toBe(201);
    expect((await member.connect('gateway_a')).status).toBe(201);
  });
});

describe('401 nobody', () => {
  it.each([...writes, ...reads.map((path) => ['GET', path] as const)])('%s %s', async (method, path) => {
    const { status, body } = await dashboard.send(method, path, { body: method === 'GET' ? undefined : '{' });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
  });
});
