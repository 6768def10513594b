import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashPassword, openPasswords } from '../src/app/account/passwords.ts';
import { reapSessions } from '../src/app/account/sessions.ts';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
});
afterAll(() => dashboard?.close());

const logIn = (email = member.email, given = password, cookie?: string) =>
  dashboard.send('POST', '/api/login', { body: { email, password: given }, ...(cookie && { cookie }) });
const whoAmI = async (cookie: string) => (await dashboard.send('GET', '/api/me', { cookie })).status;
const hashCookie = (cookie: string) =>
  createHash('sha256')
    .update(/gp_session=([\w-]*)/.exec(cookie)?.[1] ?? '')
    .digest();
/** Moves a session's life into the past. */
const age = (cookie: string, column: 'created_at' | 'last_seen_at', by: string) =>
  dashboard.rows(`update sessions set ${column} = ${column} - $2::interval where id_hash = $1`, [
    hashCookie(cookie),
    by,
  ]);

describe('200 logged in', () => {
  it.each([(email: string) => email, (email: string) => `  ${email.toUpperCase()} `])(
    'a login accepts the e-mail in any spelling',
    async (spelt) => {
      const { status, body, cookie } = await logIn(spelt(member.email));
      expect(status).toBe(200);
      expect(body).toEqual({
        merchant_id: member.id,
        email: member.email,
        role: 'owner',
        second_factor_required: false,
        second_factors: [],
      });
      expect(await whoAmI(cookie)).toBe(200);
    },
  );

  it('each login has a secret of its own, of which only the hash is stored', async () => {
    const [first, second] = [await logIn(), await logIn()];
    expect(first.cookie).not.toBe(second.cookie);
    const stored = await dashboard.rows('select encode(id_hash, $1) as id from sessions', ['hex']);
    expect(stored).toContainEqual({ id: hashCookie(second.cookie).toString('hex') });
    const everything = JSON.stringify(await dashboard.rows('select s::text from sessions s'));
    expect(everything).not.toContain(/gp_session=([\w-]*)/.exec(second.cookie)?.[1]);
  });

  it('a login ends the browser’s earlier session: a planted cookie does not survive', async () => {
    const before = await logIn();
    const after = await logIn(member.email, password, before.cookie);
    expect([await whoAmI(before.cookie), await whoAmI(after.cookie)]).toEqual([401, 200]);
  });
});

describe('401 not logged in', () => {
  it('a failed login gives the same error for an unknown e-mail and for a wrong password', async () => {
    const told = async (email: string, given: string) => {
      const { status, body, headers } = await logIn(email, given);
      return { status, cookies: headers['set-cookie'], ...body, request_id: null };
    };
    const wrong = await told(member.email, 'wrong password');
    expect(wrong).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await told('nobody@merchants.example', 'wrong password')).toEqual(wrong);
  });

  it('a failed login does the same work for an unknown e-mail', async () => {
    const passwords = openPasswords();
    const stored = await hashPassword(password);
    // The processor's time, of the luckiest of several turns by turns: what else the machine does is no part of it.
    const measureWork = async (hash: string | undefined) => {
      const before = process.cpuUsage();
      expect(await passwords.isRight(hash, 'wrong password', { name: 'a browser', isKnown: true })).toBe(
        false,
      );
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const [unknown, known]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 6; turn++) {
      unknown.push(await measureWork(undefined));
      known.push(await measureWork(stored));
    }
    expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 4);
  });

  it.each([
    undefined,
    '__Host-gp_session=',
    '__Host-gp_session=guess',
    'gp_session=x',
    `__Host-gp_session=${'x'.repeat(4_000)}`,
  ])('a request with the cookie %j is a 401', async (cookie) => {
    const { status, body } = await dashboard.send('GET', '/api/me', cookie === undefined ? {} : { cookie });
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized' });
  });

  it('the stored hash of a session is not accepted as a cookie', async () => {
    const { cookie } = await logIn();
    expect(await whoAmI(`__Host-gp_session=${hashCookie(cookie).toString('base64url')}`)).toBe(401);
  });
});

describe('400 a password nobody can have', () => {
  it.each([
    [200, 401],
    [201, 400],
  ])('a password of %d characters: %d, before any hashing', async (length, expected) => {
    expect((await logIn(member.email, 'a'.repeat(length))).status).toBe(expected);
  });

  it('an e-mail that cannot be stored is refused, not a fault of ours', async () => {
    expect((await logIn('a\u0000b@merchants.example')).status).toBe(400);
  });
});

describe('a session ends', () => {
  it('a session ends after 30 minutes without a request, and every request postpones that', async () => {
    const { cookie } = await logIn();
    await age(cookie, 'last_seen_at', '29 minutes');
    expect(await whoAmI(cookie)).toBe(200);
    await age(cookie, 'last_seen_at', '29 minutes');
    expect(await whoAmI(cookie)).toBe(200);
    await age(cookie, 'last_seen_at', '30 minutes');
    expect(await whoAmI(cookie)).toBe(401);
  });

  it('a session ends after 12 hours, whatever its activity', async () => {
    const { cookie } = await logIn();
    await age(cookie, 'created_at', '11 hours 59 minutes');
    expect(await whoAmI(cookie)).toBe(200);
    await age(cookie, 'created_at', '1 minute');
    expect(await whoAmI(cookie)).toBe(401);
  });

  it('a session ends with the logout, which also removes the cookie', async () => {
    const { cookie } = await logIn();
    const { status, headers } = await dashboard.send('POST', '/api/logout', { cookie });
    expect(status).toBe(200);
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-gp_session=; .*Max-Age=0$/);
    expect(await whoAmI(cookie)).toBe(401);
    expect((await dashboard.send('POST', '/api/logout', { cookie })).status).toBe(200);
  });

  it('an ended session is deleted, while living ones stay', async () => {
    const [idle, old, alive] = [await logIn(), await logIn(), await logIn()];
    await age(idle.cookie, 'last_seen_at', '31 minutes');
    await age(old.cookie, 'created_at', '13 hours');
    const reaper = reapSessions(dashboard.db);
    expect(await reaper.runOnce(AbortSignal.timeout(5_000))).toBe('busy');
    expect(await reaper.runOnce(AbortSignal.timeout(5_000))).toBe('idle');
    const left = await dashboard.rows<{ id_hash: Buffer }>('select id_hash from sessions');
    const isLeft = (cookie: string) => left.some((row) => row.id_hash.equals(hashCookie(cookie)));
    expect([idle, old, alive].map(({ cookie }) => isLeft(cookie))).toEqual([false, false, true]);
  });
});
