import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import { openPg, type Db } from '@gp/pg';
import { eventually, testDatabase, testNats, type OwnServer, type TestDatabase } from '@gp/testing';
import { failPoints } from '../src/fail-points.ts';
import { send } from './support/client.ts';
import { password, playNeighbours, schemas } from './support/dashboard.ts';
import { settings, startService, type Service } from './support/process.ts';

let database: TestDatabase;
let nats: OwnServer;
let others: Bus;
let db: Db;
const published: string[] = [];
let port: number;
let mailFolder: string;
let cookie: string;
/** One that lives through all tests; what a test starts ends with it. */
let steady: Service;
const running: Service[] = [];

const start = (o: Record<string, string> = {}) => {
  const MAIL_URL = pathToFileURL(mailFolder).href;
  const stores = settings({ database: database.url('merchant'), nats: nats.url });
  const service = startService({ ...stores, MAIL_URL, ...o });
  running.push(service);
  return service;
};
/** A process that has just started may not be connected yet: then it reports so, and the request is repeated. */
const sendOnceUp = async (...request: Parameters<typeof send>) => {
  for (;;) {
    const reply = await send(...request);
    if (reply.status !== 503) return reply;
  }
};
/** Signs up and follows the link that was mailed. */
const signUp = async (at: number, email: string) => {
  await sendOnceUp(at, 'POST', '/api/signup', { body: { merchant_name: 'Casa Lola', email, password } });
  const token = await eventually(async () => {
    const { mails } = (await send(at, 'GET', `/api/mailbox?to=${email}`)).body as {
      mails: { text: string }[];
    };
    return /#token=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1];
  });
  return sendOnceUp(at, 'POST', '/api/signup/confirm', { body: { token } });
};
const list = async (path: 'keys' | 'gateways') =>
  (await send(port, 'GET', `/api/${path}?mode=test`, { cookie })).body[path] as unknown[];

beforeAll(async () => {
  mailFolder = await mkdtemp(join(tmpdir(), 'gp-mail-'));
  database = await testDatabase({ schemas });
  nats = await testNats();
  db = await openPg({ url: database.url('merchant'), name: 'test', max: 2, connectTimeoutMs: 30_000 });
  others = await openBus({ servers: nats.url, name: 'others' });
  await eventually(() => others.isConnected() || undefined);
  await others.ensureStreams();
  playNeighbours(others);
  others.listen('evt.>', (message) => published.push(JSON.stringify(message)));
  await others.hasStreams();
  steady = start();
  running.pop();
  port = await steady.port;
  cookie = (await signUp(port, 'owner@casalola.example')).cookie;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));
});
afterAll(async () => {
  await steady?.stop('SIGKILL');
  await others?.close();
  await db?.close();
  await nats?.stop();
  await database?.drop();
  await rm(mailFolder, { recursive: true, force: true });
});

describe('a process killed at a step', () => {
  const credentials = { secret_key: 'sk_x' };
  const newKey = (at: number, name: string) =>
    sendOnceUp(at, 'POST', '/api/keys', { cookie, body: { mode: 'test', name } });
  const connect = (at: number) =>
    sendOnceUp(at, 'POST', '/api/gateways', {
      cookie,
      body: { mode: 'test', psp_code: 'gateway_b', credentials },
    });
  const killedAt = async (point: string, act: (at: number) => Promise<unknown>) => {
    expect(failPoints).toContain(point);
    const victim = start({ GP_FAIL_POINT: point });
    await expect(victim.port.then(act)).rejects.toThrow();
    expect((await victim.ended).signal).toBe('SIGKILL');
  };

  it.each([
    ['dashboard.api-key.before', 0],
    ['dashboard.api-key.after', 1],
  ])(
    'a process killed at %s stores a key and its announcement together or not at all',
    async (point, expected) => {
      await killedAt(point, (at) => newKey(at, point));
      const keys = (await list('keys')) as { name: string; id: string }[];
      const made = keys.filter(({ name }) => name === point);
      expect(made).toHaveLength(expected);
      for (const { id } of made)
        await eventually(() => published.some((message) => message.includes(id)) || undefined);
    },
  );

  it.each(['credentials.before', 'credentials.after', 'gateway.before', 'gateway.after'])(
    'a connection entered again after a kill at dashboard.%s is one and active',
    async (step) => {
      await killedAt(`dashboard.${step}`, connect);
      expect((await connect(port)).status).toBe(201);
      expect(await list('gateways')).toMatchObject([{ psp_code: 'gateway_b', version: 1, active: true }]);
    },
  );

  it('a sign-up interrupted by a kill succeeds when it is repeated', async () => {
    const email = 'again@casalola.example';
    await killedAt('dashboard.merchant.before', (at) => signUp(at, email));
    expect((await signUp(port, email)).status).toBe(201);
  });
});

describe('outages', () => {
  it('a database that is away gives 503 in the documented shape, and the process stays', async () => {
    const service = start({ DATABASE_URL: 'postgres://merchant:x@127.0.0.1:1/gp' });
    const at = await service.port;
    const body = { email: 'owner@casalola.example', password };
    for (const reply of [
      await send(at, 'POST', '/api/login', { body }),
      await send(at, 'GET', '/api/me', { cookie }),
    ]) {
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({ code: 'service_unavailable', version: '1.0.0' });
      expect(reply.headers['retry-after']).toBeDefined();
    }
    expect((await service.stop()).code).toBe(0);
  });

  it('keys are created without the bus, and their announcements are sent when it is back', async () => {
    await nats.down();
    const made = await send(port, 'POST', '/api/keys', { cookie, body: { mode: 'live', name: 'offline' } });
    expect(made.status).toBe(201);
    await nats.up();
    await eventually(async () => {
      const sentMessages = `select 1 from outbox where payload ->> 'key_id' = $1 and sent_at is not null`;
      return (await db.pool.query(sentMessages, [made.body['id']])).rows.length > 0 || undefined;
    });
  });
});

describe('strangers', () => {
  const CONTACT = { SECURITY_CONTACT: 'mailto:security@pay.example' };
  const visit = async (at: number, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${at}${path}`, { headers: { connection: 'close' } });
    return { headers: answer.headers, text: await answer.text() };
  };

  it.each([
    ['https://dashboard.example', 'max-age=63072000; includeSubDomains'],
    ['http://dashboard.example', null],
  ])(
    'at %s, every response of the dashboard has one HSTS header or none: pages, files, data and refusals (X3)',
    async (url, header) => {
      const at = await start({ ...CONTACT, DASHBOARD_URL: url }).port;
      for (const path of ['/', '/api/nowhere', '/api/me', '/.well-known/security.txt'])
        expect((await visit(at, path)).headers.get('strict-transport-security')).toBe(header);
    },
  );

  it('strangers find the contact in security.txt, and browsers may report to the address of the policy (Y5, Y6)', async () => {
    await writeFile(join(mailFolder, 'index.html'), '<!doctype html><title>Dashboard</title>');
    const service = start({ ...CONTACT, PAGES_FOLDER: mailFolder });
    const at = await service.port;
    expect((await visit(at, '/.well-known/security.txt')).text).toContain('mailto:security@pay.example');
    const { headers } = await visit(at, '/');
    expect(headers.get('content-security-policy')).toMatch(/; report-uri \/csp-reports; report-to csp$/);
    expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"');
    const body = {
      'csp-report': { 'violated-directive': 'img-src', 'blocked-uri': 'https://evil.example/x' },
    };
    expect((await send(at, 'POST', '/csp-reports', { body })).status).toBe(204);
    await eventually(() => service.output().includes('https://evil.example') || undefined);
  });
});

it('a process with wrong settings ends with exit code 78', async () => {
  const service = start({ API_KEY_PEPPER: 'short', DATABASE_URL: '' });
  expect((await service.ended).code).toBe(78);
  expect(service.output()).toMatch(/DATABASE_URL[^]*API_KEY_PEPPER/);
});

it('no table, event or log line holds a password, cookie, key or credential', async () => {
  const body = { email: 'owner@casalola.example', password };
  const session = (await send(port, 'POST', '/api/login', { body })).cookie;
  const key = await send(port, 'POST', '/api/keys', {
    cookie: session,
    body: { mode: 'test', name: 'grep' },
  });
  const credentials = { secret_key: 'sk_sentinel_1', webhook_secret: 'whsec_sentinel_2' };
  const connection = { mode: 'live', psp_code: 'gateway_a', credentials };
  const connected = await sendOnceUp(port, 'POST', '/api/gateways', { cookie: session, body: connection });
  expect(connected.status).toBe(201);
  await send(port, 'POST', '/api/login', { body: { ...body, password: 'sentinel-wrong-password' } });
  await send(port, 'POST', '/api/gateways', { cookie: session, body: { ...connection, mode: 'sentinel' } });
  await eventually(async () => {
    const { rows } = await db.pool.query('select 1 from outbox where sent_at is null');
    return rows.length === 0 || undefined;
  });

  const tables = await db.pool.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = 'merchant'::regnamespace and relkind in ('r', 'p')
       and has_table_privilege(oid, 'select')`,
  );
  const dumps = [steady.output(), ...published];
  for (const { name } of tables.rows)
    dumps.push(JSON.stringify((await db.pool.query(`select t::text from ${name} t`)).rows));
  expect(tables.rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sessions', 'api_keys', 'outbox']),
  );
  const everything = dumps.join('\n');
  expect(everything).toContain(String(key.body['id']));
  const secrets = [password, 'sentinel', String(key.body['key']).slice(8), session.split('=')[1] ?? ''];
  for (const secret of secrets) expect(everything.includes(secret)).toBe(false);
  // A bytea in hex, too: nothing is stored under its own bytes.
  for (const secret of secrets) expect(everything.includes(Buffer.from(secret).toString('hex'))).toBe(false);
});
