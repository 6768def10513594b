import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, rotateEncryptionKey } from '@gp/testing';
import { Secret, TOTP } from 'otpauth';
import { isRightCode } from '../src/app/account/second-factor.ts';
import { sealedColumns } from '../src/db/sealed-columns.ts';
import { encryptionKey, openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => {
  member = await dashboard.newMerchant();
});

const AT = '/api/profile/second-factor';
/** The code of the app, `steps` of half a minute from now. */
const generateCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
async function enrol() {
  const begun = await member.post(AT, {});
  const secret = String(begun.body['secret']);
  // The code of the step before, which is over for good when the next one begins in between.
  const confirmed = await eventually(async () => {
    const reply = await member.post(`${AT}/confirm`, { code: generateCode(secret, -1) });
    return reply.body['recovery_codes'] ? reply : undefined;
  });
  return { secret, begun, codes: confirmed.body['recovery_codes'] as string[] };
}
const logIn = () => dashboard.send('POST', '/api/login', { body: { email: member.email, password } });
const giveCode = (cookie: string, code: string) =>
  dashboard.send('POST', '/api/login/second-factor', { cookie, body: { code } });
const whoAmI = async (cookie: string) => (await dashboard.send('GET', '/api/me', { cookie })).status;

describe('a rotation of the encryption key', () => {
  it('a rotation leaves second factors readable, now under the new key alone (Y2)', async () => {
    const { secret } = await enrol();
    const { db, parts } = dashboard;
    const seal = await rotateEncryptionKey({ db, columns: sealedColumns, previous: encryptionKey });
    const [user] = await dashboard.rows<{ id: string }>('select id from users where email = $1', [
      member.email,
    ]);
    const answer = { code: generateCode(secret), counter: 'test' };
    expect(await isRightCode({ ...parts, seal }, user!.id, answer)).toBe(true);
    await expect(isRightCode(parts, user!.id, answer)).rejects.toThrow(/not configured/);
  });
});

describe('enrolment', () => {
  it('a second factor counts from the first right code on, and shows ten recovery codes once', async () => {
    const begun = await member.post(AT, {});
    expect(begun.body).toMatchObject({ otpauth_url: expect.stringMatching(/^otpauth:\/\/totp\//) });
    expect((await logIn()).body).toMatchObject({ second_factor_required: false });
    expect((await member.post(`${AT}/confirm`, { code: '000000' })).status).toBe(400);
    const code = generateCode(String(begun.body['secret']));
    const { body } = await member.post(`${AT}/confirm`, { code });
    expect(new Set(body['recovery_codes'] as string[]).size).toBe(10);
    expect((await logIn()).body).toMatchObject({ second_factor_required: true });
    expect((await member.get('/api/me')).body).toMatchObject({
      has_second_factor: true,
      recovery_codes_left: 10,
    });
  });

  it('a second factor that counts must be removed before a new one is added', async () => {
    await enrol();
    expect((await member.post(AT, {})).status).toBe(409);
    expect((await member.delete(AT)).status).toBe(200);
    expect((await member.post(AT, {})).status).toBe(201);
  });

  it('no table holds the secret of a second factor or a recovery code', async () => {
    const { secret, codes } = await enrol();
    const tables = ['second_factors', 'recovery_codes', 'audit_log'];
    const rows = await Promise.all(tables.map((table) => dashboard.rows(`select t::text from ${table} t`)));
    const everything = JSON.stringify(rows);
    for (const hidden of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))]) {
      expect(everything).not.toContain(hidden);
      expect(everything).not.toContain(Buffer.from(hidden).toString('hex'));
    }
  });
});

describe('logging in', () => {
  it('a login grants nothing before the code, and starts a session of its own with it', async () => {
    const { secret } = await enrol();
    const first = await logIn();
    expect(await whoAmI(first.cookie)).toBe(401);
    const second = await giveCode(first.cookie, generateCode(secret));
    expect(second.status).toBe(200);
    expect(second.cookie).not.toBe(first.cookie);
    expect([await whoAmI(first.cookie), await whoAmI(second.cookie)]).toEqual([401, 200]);
  });

  it('a code is accepted once, and no older one after it', async () => {
    const { secret } = await enrol();
    const code = generateCode(secret);
    expect((await giveCode((await logIn()).cookie, code)).status).toBe(200);
    expect((await giveCode((await logIn()).cookie, code)).status).toBe(401);
    expect((await giveCode((await logIn()).cookie, generateCode(secret, -1))).status).toBe(401);
    expect((await giveCode((await logIn()).cookie, generateCode(secret, 1))).status).toBe(200);
  });

  it('the same code many times at once is accepted once', async () => {
    const { secret } = await enrol();
    const sessions = await Promise.all(Array.from({ length: 5 }, logIn));
    const code = generateCode(secret);
    const replies = await Promise.all(sessions.map(({ cookie }) => giveCode(cookie, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it('a recovery code is accepted once, in any spelling', async () => {
    const { codes } = await enrol();
    const [code = ''] = codes;
    const typed = ` ${code.replace('-', ' ').toUpperCase()}`;
    expect((await giveCode((await logIn()).cookie, typed)).status).toBe(200);
    expect((await giveCode((await logIn()).cookie, code)).status).toBe(401);
  });

  it('a login gets a 429 after too many wrong codes, also for the right one', async () => {
    const { secret } = await enrol();
    const usual = dashboard.limit({ perCode: { most: 3, seconds: 900 } });
    const { cookie } = await logIn();
    const statuses = [];
    for (const code of ['000001', '000002', '000003', generateCode(secret)])
      statuses.push((await giveCode(cookie, code)).status);
    usual();
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('a code without the password before it is a 401', async () => {
    const { secret } = await enrol();
    for (const cookie of ['__Host-gp_session=x', member.cookie])
      expect((await giveCode(cookie, generateCode(secret))).status).toBe(401);
  });
});
