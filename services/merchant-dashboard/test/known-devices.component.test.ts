import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { Secret, TOTP } from 'otpauth';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
});

const logIn = (given = password, cookie?: string, email = member.email) =>
  dashboard.send('POST', '/api/login', { body: { email, password: given }, ...(cookie && { cookie }) });
/** The cookie that the browser keeps after its session is over. */
const deviceOf = (cookie: string) => /__Host-gp_device=[\w-]+/.exec(cookie)?.[0] ?? '';
const mailsTo = (email: string, subject: RegExp) =>
  dashboard.mails.filter((mail) => mail.to === email && subject.test(mail.subject));
/** Strangers use up the tries of an account. */
async function lockOut(most = 3) {
  const usual = dashboard.limit({ perAccount: { most, seconds: 900 } });
  for (let turn = 0; turn < most; turn++) await logIn('wrong password');
  expect((await logIn()).status).toBe(429);
  return usual;
}

describe('while strangers try passwords', () => {
  it('the user logs in from a browser used before, and from no other, while strangers try passwords (K3)', async () => {
    const usual = await lockOut();
    expect((await logIn(password, deviceOf(member.cookie))).status).toBe(200);
    expect((await logIn(password, '__Host-gp_device=guess')).status).toBe(429);
    usual();
  });

  it('a browser of another user is not a known one (K3)', async () => {
    const stranger = await dashboard.newMerchant();
    const usual = await lockOut();
    expect((await logIn(password, deviceOf(stranger.cookie))).status).toBe(429);
    usual();
  });

  it('a known browser may guess no more than others (K3)', async () => {
    const usual = dashboard.limit({ perAccount: { most: 3, seconds: 900 } });
    const statuses = [];
    for (const given of ['wrong 1', 'wrong 2', 'wrong 3', password])
      statuses.push((await logIn(given, deviceOf(member.cookie))).status);
    usual();
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('a logged-in user proves the identity again, counted by the session (K4)', async () => {
    const usual = await lockOut();
    expect((await member.post('/api/reauthenticate', { password })).status).toBe(200);
    const statuses = [];
    for (let turn = 0; turn < 4; turn++)
      statuses.push((await member.post('/api/reauthenticate', { password: 'wrong password' })).status);
    usual();
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  it('wrong codes of a login neither lock a known browser nor a session out (K3, K4)', async () => {
    const begun = await member.post('/api/profile/second-factor', {});
    const secret = Secret.fromBase32(String(begun.body['secret']));
    const codeAt = (steps: number) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    await eventually(async () => {
      const reply = await member.post('/api/profile/second-factor/confirm', { code: codeAt(-1) });
      return reply.status === 200 || undefined;
    });
    const usual = dashboard.limit({ perCode: { most: 2, seconds: 900 } });
    const giveCode = (cookie: string, code: string) =>
      dashboard.send('POST', '/api/login/second-factor', { cookie, body: { code } });
    const strange = await logIn();
    for (let turn = 0; turn < 2; turn++) await giveCode(strange.cookie, '000000');
    expect((await giveCode(strange.cookie, codeAt(0))).status).toBe(429);
    const own = await logIn(password, deviceOf(member.cookie));
    const entered = await giveCode(`${own.cookie}; ${deviceOf(member.cookie)}`, codeAt(0));
    expect(entered.status).toBe(200);
    const proof = await dashboard.send('POST', '/api/reauthenticate', {
      cookie: entered.cookie,
      body: { code: codeAt(1) },
    });
    usual();
    expect(proof.status).toBe(200);
  });
});

describe('mail', () => {
  it('the user gets one mail a day about wrong passwords, and nobody gets one about an unknown account (K5)', async () => {
    for (let turn = 0; turn < 12; turn++) await logIn('wrong password');
    await dashboard.rows(`delete from tries where key like 'account:%'`);
    for (let turn = 0; turn < 6; turn++) await logIn('wrong password');
    expect(mailsTo(member.email, /Wrong passwords/)).toHaveLength(1);
    for (let turn = 0; turn < 6; turn++) await logIn('wrong password', undefined, 'nobody@merchants.example');
    expect(mailsTo('nobody@merchants.example', /./)).toEqual([]);
  });

  it('the user gets a mail about a login from another browser, not about the first and not about a known one (K5)', async () => {
    expect(mailsTo(member.email, /new browser/)).toEqual([]);
    const again = await logIn(password, deviceOf(member.cookie));
    expect(deviceOf(again.cookie)).toBe(deviceOf(member.cookie));
    expect(mailsTo(member.email, /new browser/)).toEqual([]);
    await logIn();
    expect(mailsTo(member.email, /new browser/)).toEqual([
      expect.objectContaining({ text: expect.stringContaining('127.0.0.1') }),
    ]);
  });
});

describe('a device', () => {
  it('a device is stored as a hash, and no cookie that was planted becomes one (K3)', async () => {
    const planted = `__Host-gp_device=${'A'.repeat(43)}`;
    const { cookie } = await logIn(password, planted);
    expect(deviceOf(cookie)).not.toBe(planted);
    const stored = JSON.stringify(await dashboard.rows('select d::text from known_devices d'));
    expect(stored).not.toContain(deviceOf(cookie).split('=')[1]);
    expect((await dashboard.send('GET', '/api/me', { cookie: deviceOf(cookie) })).status).toBe(401);
  });

  it('a device is unknown after a password reset (K3)', async () => {
    await dashboard.send('POST', '/api/password-reset', { body: { email: member.email } });
    const token = dashboard.tokenFor(member.email);
    await dashboard.send('POST', '/api/password-reset/confirm', { body: { token, password } });
    const usual = await lockOut();
    expect((await logIn(password, deviceOf(member.cookie))).status).toBe(429);
    usual();
  });

  it('a device is one of at most twenty of a user', async () => {
    for (let turn = 0; turn < 21; turn++) await logIn();
    const [row] = await dashboard.rows<{ count: bigint }>(
      'select count(*) from known_devices d join users u on u.id = d.user_id where u.email = $1',
      [member.email],
    );
    expect(Number(row?.count)).toBe(20);
  });
});
