import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDashboard, password, type Dashboard, type Member } from './support/dashboard.ts';

let dashboard: Dashboard;
let member: Member;
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
});
afterAll(() => dashboard?.close());

const host = 'dashboard.example';
const createKey = (headers: Record<string, string>) =>
  dashboard.send('POST', '/api/keys', {
    cookie: member.cookie,
    headers: { host, ...headers },
    body: { mode: 'test', name: 'server' },
  });

describe('401 what another site made the browser send', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    // An old browser's origin may not overrule what a new one says.
    { 'sec-fetch-site': 'cross-site', origin: `https://${host}` },
    { origin: 'https://evil.example' },
    { origin: `https://${host}.evil.example` },
    { origin: `https://${host}:8443` },
    { origin: 'null' },
    { origin: host },
  ])('a request from another site gets a 401: %j', async (headers) => {
    const { status, body } = await createKey(headers);
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'unauthorized', message: 'requests from other sites are refused' });
  });

  it.each(['/api/login', '/api/signup', '/api/logout'])(
    'a request from another site gets a 401 although nobody is logged in: %s',
    async (path) => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      const body = { merchant_name: 'X', email: 'x@merchants.example', password };
      const reply = await dashboard.send('POST', path, { headers, body });
      expect(reply.status).toBe(401);
      expect(reply.cookie).toBe('');
    },
  );

  it('requests from other sites change nothing', async () => {
    expect((await member.get('/api/keys?mode=test')).body).toEqual({ keys: [] });
  });
});

describe('201 what our own pages and programs send', () => {
  it.each([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: `https://${host}` },
    { origin: `https://${host}`, host: host.toUpperCase() },
  ])('requests of our own pages and programs get a 201: %j', async (headers) => {
    expect((await createKey(headers)).status).toBe(201);
  });
});

describe('415 a body that is not JSON', () => {
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body that is not JSON gets a 415: %s, which a form of another site could send',
    async (type) => {
      expect((await createKey({ 'content-type': type })).status).toBe(415);
    },
  );
});
