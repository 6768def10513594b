import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
});

const newKey = () => member.post('/api/keys', { mode: 'test', name: 'server' });
const forget = () =>
  dashboard.rows(
    `update sessions s set proved_at = proved_at - interval '10 minutes' from users u
     where u.id = s.user_id and u.email = $1`,
    [member.email],
  );
const proves = (given: object) => member.post('/api/reauthenticate', given);

describe('ten minutes after the password was given', () => {
  it.each([
    ['POST', '/api/keys'],
    ['POST', '/api/keys/0198c3f0-0000-7000-8000-00000000000a/roll'],
    ['DELETE', '/api/keys/0198c3f0-0000-7000-8000-00000000000a'],
    ['PUT', '/api/gateways/active'],
    ['PUT', '/api/origins'],
    ['POST', '/api/live/webhooks'],
    ['PATCH', '/api/live/webhooks/0198c3f0-0000-7000-8000-00000000000a'],
    ['POST', '/api/live/webhooks/0198c3f0-0000-7000-8000-00000000000a/roll-secret'],
    ['POST', '/api/live/group-payments/0198c3f0-0000-7000-8000-00000000000a/refund'],
    ['POST', '/api/live/group-payments/0198c3f0-0000-7000-8000-00000000000a/cancel'],
    ['PUT', '/api/business-name'],
    ['PUT', '/api/support-contact'],
    ['PUT', '/api/team/second-factor'],
    ['POST', '/api/gateways'],
    ['DELETE', '/api/gateways/gateway_a?mode=test'],
    ['POST', '/api/test/sandbox-account'],
    ['POST', '/api/team/invitations'],
    ['PUT', '/api/team/members/0198c3f0-0000-7000-8000-00000000000a'],
    ['DELETE', '/api/team/members/0198c3f0-0000-7000-8000-00000000000a'],
    ['POST', '/api/profile/second-factor'],
    ['DELETE', '/api/profile/second-factor'],
  ])('a request ten minutes after the last password asks for it again: %s %s (K9)', async (method, path) => {
    await forget();
    const { status, body } = await dashboard.send(method, path, {
      cookie: member.cookie,
      body: method === 'DELETE' ? undefined : {},
    });
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', param: 'reauthenticate' },
    });
  });

  it('the right password makes a protected action possible again, a wrong one does not', async () => {
    await forget();
    expect((await proves({ password: 'wrong password' })).body).toMatchObject({ param: 'password' });
    expect((await newKey()).status).toBe(403);
    expect((await proves({ password })).body).toMatchObject({ proved_until: expect.any(String) });
    expect((await newKey()).status).toBe(201);
  });

  it('an action that costs nobody money needs no new password: reading, and ending invitations', async () => {
    const email = `x-${member.id}@merchants.example`;
    const invited = await member.post('/api/team/invitations', { email, role: 'viewer' });
    await forget();
    expect((await member.get('/api/keys?mode=test')).status).toBe(200);
    expect((await member.delete(`/api/team/invitations/${String(invited.body['id'])}`)).status).toBe(200);
  });
});

describe('guessing', () => {
  const logIn = (email: string, given: string) =>
    dashboard.send('POST', '/api/login', { body: { email, password: given } });

  it('an account gets a 429 after too many passwords, known or not, and the right one does not help', async () => {
    const usual = dashboard.limit({ perAccount: { most: 3, seconds: 900 } });
    for (const email of [member.email, 'nobody@merchants.example']) {
      const statuses = [];
      for (const given of ['wrong 1', 'wrong 2', 'wrong 3', password])
        statuses.push((await logIn(email, given)).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    }
    const { headers, body } = await logIn(member.email, password);
    usual();
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(body).toMatchObject({ code: 'rate_limited' });
  });

  it('passwords that arrive at once are counted before they are checked', async () => {
    const usual = dashboard.limit({ perAccount: { most: 3, seconds: 900 } });
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => logIn(member.email, `wrong password ${at}`)),
    );
    usual();
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(3);
  });

  it('a right password resets the count of wrong ones', async () => {
    const usual = dashboard.limit({ perAccount: { most: 3, seconds: 900 } });
    const statuses = [];
    for (const given of ['wrong', 'wrong', password, 'wrong', 'wrong', password])
      statuses.push((await logIn(member.email, given)).status);
    usual();
    expect(statuses).toEqual([401, 401, 200, 401, 401, 200]);
  });

  it('an address gets a 429 after too many passwords, whatever the accounts', async () => {
    const usual = dashboard.limit({ perAddress: { most: 2, seconds: 900 } });
    await dashboard.rows('delete from tries');
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await logIn(`${at}@merchants.example`, 'wrong')).status);
    usual();
    await dashboard.rows('delete from tries');
    expect(statuses).toEqual([401, 401, 429]);
  });
});

describe('a new password', () => {
  const ask = (email: string) => dashboard.send('POST', '/api/password-reset', { body: { email } });
  const reset = (token: string, given = 'another horse battery') =>
    dashboard.send('POST', '/api/password-reset/confirm', { body: { token, password: given } });

  it('a reset is a 202 for every address, and sends mail to existing accounts only', async () => {
    const before = dashboard.mails.length;
    const shown = ({ status, body }: Awaited<ReturnType<typeof ask>>) => ({ status, body });
    expect(shown(await ask('nobody@merchants.example'))).toEqual(shown(await ask(member.email)));
    expect(dashboard.mails.slice(before).map(({ to }) => to)).toEqual([member.email]);
  });

  it('a reset link works once and until the next is requested (K12), ends every session, and keeps the second factor', async () => {
    await ask(member.email);
    const older = dashboard.tokenFor(member.email);
    await ask(member.email);
    const token = dashboard.tokenFor(member.email);
    expect((await reset(older)).status).toBe(401);
    expect((await reset(token)).status).toBe(200);
    expect((await member.get('/api/me')).status).toBe(401);
    for (const used of [token, older]) expect((await reset(used)).status).toBe(401);
    expect(await dashboard.logIn(member.email, 'another horse battery')).toMatch(/^__Host-gp_session=/);
  });

  it('a new password that is easy to guess is a 400, by a link and in the settings (K11)', async () => {
    await ask(member.email);
    const easy = { status: 400, body: { code: 'validation_error', param: 'password' } };
    const token = dashboard.tokenFor(member.email);
    expect(await reset(token, '123456789012')).toMatchObject(easy);
    expect((await reset(token)).status).toBe(200);
    const cookie = await dashboard.logIn(member.email, 'another horse battery');
    const body = { current_password: 'another horse battery', password: 'aaaaaaaaaaaa' };
    expect(await dashboard.send('PUT', '/api/profile/password', { cookie, body })).toMatchObject(easy);
  });

  it('a password changed in the settings keeps this session with a new secret and ends the others', async () => {
    const other = await dashboard.logIn(member.email);
    const body = { current_password: password, password: 'a third horse battery' };
    const changed = await member.put('/api/profile/password', body);
    expect(changed.status).toBe(200);
    const whoAmI = async (cookie: string) => (await dashboard.send('GET', '/api/me', { cookie })).status;
    expect([await whoAmI(member.cookie), await whoAmI(other), await whoAmI(changed.cookie)]).toEqual([
      401, 401, 200,
    ]);
  });
});

describe('sessions', () => {
  it('sessions are listed with their origin, and ended one by one or all but this one', async () => {
    const [second, third] = [await dashboard.logIn(member.email), await dashboard.logIn(member.email)];
    const list = async () =>
      (await member.get('/api/profile/sessions')).body['sessions'] as { id: string; is_this: boolean }[];
    const sessions = await list();
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ is_this }) => is_this)).toHaveLength(1);
    const stranger = await dashboard.newMerchant();
    const [other] = sessions.filter(({ is_this }) => !is_this);
    expect((await stranger.delete(`/api/profile/sessions/${other?.id}`)).status).toBe(404);
    expect((await member.delete(`/api/profile/sessions/${other?.id}`)).status).toBe(200);
    expect(await list()).toHaveLength(2);
    await member.delete('/api/profile/sessions');
    expect(await list()).toEqual([expect.objectContaining({ is_this: true })]);
    for (const cookie of [second, third])
      expect((await dashboard.send('GET', '/api/me', { cookie })).status).toBe(401);
  });
});
