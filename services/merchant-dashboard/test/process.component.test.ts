import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { send } from './support/client.ts';
import { password } from './support/dashboard.ts';
import { openService, ownerEmail, sendOnceUp, type Service } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterEach(() => service.endProcesses());
afterAll(() => service?.close());

describe('outages', () => {
  it('a database that is away gives 503 in the documented shape, and the process stays', async () => {
    const process = service.launch({ DATABASE_URL: 'postgres://merchant:x@127.0.0.1:1/gp' });
    const at = await process.port;
    const body = { email: ownerEmail, password };
    for (const reply of [
      await send(at, 'POST', '/api/login', { body }),
      await send(at, 'GET', '/api/me', { cookie: service.cookie }),
    ]) {
      expect(reply.status).toBe(503);
      expect(reply.body).toMatchObject({ code: 'service_unavailable', version: '1.0.0' });
      expect(reply.headers['retry-after']).toBeDefined();
    }
    expect((await process.stop()).code).toBe(0);
  });

  it('keys are created without the bus, and their announcements are sent when it is back', async () => {
    await service.nats.down();
    const made = await send(service.port, 'POST', '/api/keys', {
      cookie: service.cookie,
      body: { mode: 'live', name: 'offline' },
    });
    expect(made.status).toBe(201);
    await service.nats.up();
    await eventually(async () => {
      const sentMessages = `select 1 from outbox where payload ->> 'key_id' = $1 and sent_at is not null`;
      return (await service.db.pool.query(sentMessages, [made.body['id']])).rows.length > 0 || undefined;
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
      const at = await service.launch({ ...CONTACT, DASHBOARD_URL: url }).port;
      for (const path of ['/', '/api/nowhere', '/api/me', '/.well-known/security.txt'])
        expect((await visit(at, path)).headers.get('strict-transport-security')).toBe(header);
    },
  );

  it('strangers find the contact in security.txt, and browsers may report to the address of the policy (Y5, Y6)', async () => {
    await writeFile(join(service.mailFolder, 'index.html'), '<!doctype html><title>Dashboard</title>');
    const process = service.launch({ ...CONTACT, PAGES_FOLDER: service.mailFolder });
    const at = await process.port;
    expect((await visit(at, '/.well-known/security.txt')).text).toContain('mailto:security@pay.example');
    const { headers } = await visit(at, '/');
    expect(headers.get('content-security-policy')).toMatch(/; report-uri \/csp-reports; report-to csp$/);
    expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"');
    const body = {
      'csp-report': { 'violated-directive': 'img-src', 'blocked-uri': 'https://evil.example/x' },
    };
    expect((await send(at, 'POST', '/csp-reports', { body })).status).toBe(204);
    await eventually(() => process.output().includes('https://evil.example') || undefined);
  });
});

it('a process with wrong settings ends with exit code 78', async () => {
  const process = service.launch({ API_KEY_PEPPER: 'short', DATABASE_URL: '' });
  expect((await process.ended).code).toBe(78);
  expect(process.output()).toMatch(/DATABASE_URL[^]*API_KEY_PEPPER/);
});

it('no table, event or log line holds a password, cookie, key or credential', async () => {
  const body = { email: ownerEmail, password };
  const session = (await send(service.port, 'POST', '/api/login', { body })).cookie;
  const key = await send(service.port, 'POST', '/api/keys', {
    cookie: session,
    body: { mode: 'test', name: 'grep' },
  });
  const credentials = { secret_key: 'sk_sentinel_1', webhook_secret: 'whsec_sentinel_2' };
  const connection = { mode: 'live', psp_code: 'gateway_a', credentials };
  const connected = await sendOnceUp(service.port, 'POST', '/api/gateways', {
    cookie: session,
    body: connection,
  });
  expect(connected.status).toBe(201);
  await send(service.port, 'POST', '/api/login', { body: { ...body, password: 'sentinel-wrong-password' } });
  await send(service.port, 'POST', '/api/gateways', {
    cookie: session,
    body: { ...connection, mode: 'sentinel' },
  });
  await eventually(async () => {
    const { rows } = await service.db.pool.query('select 1 from outbox where sent_at is null');
    return rows.length === 0 || undefined;
  });

  const tables = await service.db.pool.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = 'merchant'::regnamespace and relkind in ('r', 'p')
       and has_table_privilege(oid, 'select')`,
  );
  const dumps = [service.steady.output(), ...service.published];
  for (const { name } of tables.rows)
    dumps.push(JSON.stringify((await service.db.pool.query(`select t::text from ${name} t`)).rows));
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
