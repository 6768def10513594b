import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { Secret, TOTP } from 'otpauth';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let owner: Member;
let admin: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  owner = await dashboard.newMerchant();
  admin = await dashboard.colleague(owner, 'admin');
  dashboard.mails.length = 0;
});

const notices = () => dashboard.mails.filter(({ subject }) => subject.startsWith('A change in live mode'));

describe('owners are told by mail', () => {
  it('owners get a mail about changes of live keys, gateways and origins, and who made them (K9)', async () => {
    const key = await admin.post('/api/keys', { mode: 'live', name: 'server' });
    await admin.post(`/api/keys/${String(key.body['id'])}/roll`, { overlap_seconds: 3_600 });
    await admin.delete(`/api/keys/${String(key.body['id'])}`);
    await admin.connect('gateway_a', { secret_key: 'sk' }, 'live');
    await admin.activate('gateway_a', 'live');
    await admin.put('/api/origins', { mode: 'live', origins: ['https://shop.example'] });
    await admin.delete('/api/gateways/gateway_a?mode=live');
    expect(notices().map(({ to }) => to)).toEqual(Array.from({ length: 7 }, () => owner.email));
    for (const { text } of notices()) expect(text).toContain(admin.email);
    expect(notices().map(({ text }) => /@\S+ (\w+)/.exec(text)?.[1])).toEqual([
      'created',
      'rolled',
      'revoked',
      'connected',
      'changed',
      'changed',
      'disconnected',
    ]);
  });

  it('owners get a mail about each change of the team that names the actor (K9)', async () => {
    const colleague = await dashboard.colleague(owner, 'viewer');
    const { members } = (await admin.get('/api/team')).body as { members: { id: string; email: string }[] };
    const { id = '' } = members.find(({ email }) => email === colleague.email) ?? {};
    dashboard.mails.length = 0;
    await admin.post('/api/team/invitations', { email: 'new@merchants.example', role: 'viewer' });
    await admin.put(`/api/team/members/${id}`, { role: 'support' });
    await admin.delete(`/api/team/members/${id}`);
    const told = dashboard.mails.filter(({ to, subject }) => to === owner.email && subject.includes('team'));
    expect(told.map(({ text }) => text.split('\n')[0])).toEqual([
      `${admin.email} invited somebody to the team.`,
      `${admin.email} changed the role of a member.`,
      `${admin.email} removed a member.`,
    ]);
  });

  it('owners get no mail about test mode or about what was refused (K9)', async () => {
    await admin.post('/api/keys', { mode: 'test', name: 'server' });
    await admin.connect('gateway_a');
    await admin.activate('gateway_b', 'live');
    await admin.post('/api/keys', { mode: 'live', name: '' });
    expect(notices()).toEqual([]);
  });
});

describe('a team that demands second factors', () => {
  const AT = '/api/profile/second-factor';
  const demand = (who: Member, required = true) => who.put('/api/team/second-factor', { required });
  /** Adds a second factor, by the code of the step before. */
  async function enrol(who: Member) {
    const secret = Secret.fromBase32(String((await who.post(AT, {})).body['secret']));
    await eventually(async () => {
      const code = new TOTP({ secret }).generate({ timestamp: Date.now() - 30_000 });
      return (await who.post(`${AT}/confirm`, { code })).status === 200 || undefined;
    });
  }

  it('a team that demands second factors leads a member without one to add it before anything else (K10)', async () => {
    await enrol(owner);
    expect((await demand(owner)).status).toBe(200);
    for (const path of ['/api/keys?mode=test', '/api/team'])
      expect(await admin.get(path)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', param: 'second_factor' },
      });
    expect((await admin.get('/api/me')).body).toMatchObject({ must_add_second_factor: true });
    await enrol(admin);
    expect((await admin.get('/api/me')).body).toMatchObject({ must_add_second_factor: false });
    expect((await admin.get('/api/team')).body).toMatchObject({ requires_second_factor: true });
  });

  it('the demand for second factors is set by an owner who has one, and removed (K10)', async () => {
    expect((await demand(admin)).status).toBe(403);
    expect((await demand(owner)).status).toBe(409);
    await enrol(owner);
    expect((await demand(owner)).status).toBe(200);
    expect((await demand(owner, false)).status).toBe(200);
    expect((await admin.get('/api/team')).status).toBe(200);
  });
});
