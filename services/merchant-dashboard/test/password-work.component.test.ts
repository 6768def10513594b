import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openPasswords, type Passwords } from '../src/app/account/passwords.ts';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
let usual: Passwords;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  usual = { ...dashboard.parts.passwords };
});
afterAll(() => dashboard?.close());
beforeEach(() => void Object.assign(dashboard.parts.passwords, usual));

/** Counts the new passwords that are hashed from now on. */
function countHashes(): () => number {
  let count = 0;
  dashboard.parts.passwords.hash = (given, words, client) => {
    count++;
    return usual.hash(given, words, client);
  };
  return () => count;
}

const bogus = () => randomBytes(32).toString('base64url');
const follow = (path: string, token = bogus()) =>
  dashboard.send('POST', path, { body: { token, password: 'x'.repeat(200) } });
const logIn = () => dashboard.send('POST', '/api/login', { body: { email: member.email, password } });
const groupByStatus = async (replies: readonly Promise<{ status: number }>[]) =>
  Map.groupBy(await Promise.all(replies), ({ status }) => status);

const CONFIRMS = ['/api/password-reset/confirm', '/api/invitations/accept'];

describe('a link nobody was mailed', () => {
  it.each(CONFIRMS)(
    'a link that was never mailed hashes no password, and login answers meanwhile: %s (K1)',
    async (path) => {
      const hashes = countHashes();
      const flood = Array.from({ length: 60 }, () => follow(path));
      const [flooded, login] = await Promise.all([groupByStatus(flood), logIn()]);
      expect([...flooded.keys()]).toEqual([401]);
      expect(login.status).toBe(200);
      expect(hashes()).toBe(0);
    },
  );

  it.each([...CONFIRMS, '/api/invitations/look', '/api/signup/confirm'])(
    'a link that was never mailed is limited by the client’s network: %s gives 429 with Retry-After (K2)',
    async (path) => {
      await dashboard.rows('delete from tries');
      const reset = dashboard.limit({ perAddress: { most: 2, seconds: 900 } });
      const body = CONFIRMS.includes(path) ? { password } : {};
      const ask = () => dashboard.send('POST', path, { body: { token: bogus(), ...body } });
      const replies = [await ask(), await ask(), await ask()];
      reset();
      await dashboard.rows('delete from tries');
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 429]);
      expect(Number(replies[2]?.headers['retry-after'])).toBeGreaterThan(0);
    },
  );

  it.each([...CONFIRMS, '/api/invitations/look', '/api/signup/confirm'])(
    'a link that was never mailed is refused after a pause of half a second: %s (K2)',
    async (path) => {
      const body = { token: bogus(), ...(CONFIRMS.includes(path) && { password }) };
      const begun = performance.now();
      expect((await dashboard.send('POST', path, { body })).status).toBe(401);
      expect(performance.now() - begun).toBeGreaterThan(490);
    },
  );

  it('a link that was never mailed does not use up the tries of a login (K2)', async () => {
    await dashboard.rows('delete from tries');
    const reset = dashboard.limit({ perAddress: { most: 2, seconds: 900 } });
    for (let turn = 0; turn < 4; turn++) await follow('/api/password-reset/confirm');
    const login = await logIn();
    reset();
    await dashboard.rows('delete from tries');
    expect(login.status).toBe(200);
  });
});

describe('more new passwords than can be hashed', () => {
  it('a full queue answers 503 with Retry-After, and login has a share of its own (K1)', async () => {
    const small = { atOnce: 1, waiting: 4 };
    const queues = { known: small, unknown: small, hashes: { atOnce: 1, waiting: 2 } };
    Object.assign(dashboard.parts.passwords, openPasswords(queues));
    const ask = (at: number) =>
      dashboard.send('POST', '/api/signup', {
        body: { merchant_name: 'Flood', email: `flood-${at}@merchants.example`, password },
      });
    const flood = Array.from({ length: 30 }, (_, at) => ask(at));
    const [flooded, login] = await Promise.all([groupByStatus(flood), logIn()]);
    expect([...flooded.keys()].sort()).toEqual([202, 503]);
    const [refused] = (await Promise.all(flood)).filter(({ status }) => status === 503);
    expect(refused).toMatchObject({
      headers: { 'retry-after': '2' },
      body: { error: 'Service Unavailable', code: 'service_unavailable', version: '1.0.0' },
    });
    expect(login.status).toBe(200);
  });
});
