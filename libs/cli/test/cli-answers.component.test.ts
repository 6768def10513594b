import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openHome, type CliHome } from './cli-home.ts';

let home: CliHome;
let server: Server;
let env: Record<string, string>;
beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  await home.close();
});

/** Serves an API until the end of the test; `env` has its address and a key. */
async function serve(answer: RequestListener): Promise<void> {
  server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  env = { GROUP_PAYMENTS_KEY: 'sk_test_0123456789abcdef', GROUP_PAYMENTS_URL: `http://127.0.0.1:${port}` };
}

it('a stream too many is reported: trigger ends with it, listen and tail say so and try again', async () => {
  let asked = 0;
  await serve((_request, response) => {
    asked += 1;
    const body = { code: 'rate_limited', message: 'too many streams', hint: 'at most 5 in a mode' };
    response.writeHead(429, { 'retry-after': '10' }).end(JSON.stringify(body));
  });
  const triggered = await home.gp(['trigger', 'group_payment.paid'], env);
  expect([triggered.exitCode, triggered.err]).toEqual([
    1,
    expect.stringContaining('too many streams (429 rate_limited)\nat most 5 in a mode\n'),
  ]);
  expect(asked).toBe(1);
  for (const command of [
    ['listen', '--forward-to', 'localhost:1'],
    ['events', 'tail'],
  ]) {
    const waiting = home.start(command, env);
    await waiting.until(({ err }) => /opened \(too many streams: at most 5 in a mode\);.* 10 s/.test(err));
    waiting.interrupt();
    expect(await waiting.end()).toMatchObject({ exitCode: 0, out: '' });
  }
});

it('a command without an answer names the options that repeat it, and they send the very same', async () => {
  const sent: { path: unknown; key: unknown; body: string }[] = [];
  await serve((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(403).end('{}');
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      sent.push({ path: request.url, key: request.headers['idempotency-key'], body });
      response.destroy();
    });
  });
  const first = await home.gp(['payments', 'create', '--amount', '5', '--json'], env);
  expect([first.exitCode, first.out]).toEqual([4, '']);
  const { error } = JSON.parse(first.err) as { error: Record<string, string> };
  const { code, idempotency_key: key = '', expires_at: expiresAt = '' } = error;
  expect(code).toBe('no_answer');
  const repeats = [
    ['create', '--amount', '5', '--idempotency-key', key, '--expires-at', expiresAt],
    ['pay', 'x', '--time-zone', 'Asia/Tokyo', '--idempotency-key', 'of-pay'],
    ['refund', 'x', '--idempotency-key', 'of-refund'],
  ];
  const ended = await Promise.all(repeats.map((line) => home.gp(['payments', ...line], env)));
  for (const [index, { exitCode, err }] of ended.entries()) {
    const options = repeats[index]?.slice(repeats[index].indexOf('--idempotency-key')).join(' ');
    expect([exitCode, err]).toEqual([4, expect.stringContaining(`Repeat the command with ${options}:`)]);
  }
  expect(sent.length).toBe(4 * 5);
  const different = [...new Map(sent.map((each) => [JSON.stringify(each), each])).values()];
  expect(different.toSorted((a, b) => (String(a.key) < String(b.key) ? -1 : 1))).toEqual([
    { path: '/v1/group-payments', key, body: expect.stringContaining(`"expires_at":"${expiresAt}"`) },
    {
      path: '/v1/group-payments/x/test-payments',
      key: 'of-pay',
      body: expect.stringContaining('"time_zone":"Asia/Tokyo"'),
    },
    { path: '/v1/group-payments/x/refund', key: 'of-refund', body: expect.any(String) },
  ]);
}, 40_000);

it('logs tail goes on after a time without answers, and leaves no request out', async () => {
  const entry = {
    ...{ id: '01a205b0-3d7d-7000-8000-000000000001', created_at: '2030-01-01T00:00:00.000Z' },
    ...{ method: 'GET', path: '/v1/events', query: '', status: 200, error_code: null },
    ...{ duration_ms: 7, request_id: 'req_1' },
  };
  let asked = 0;
  await serve((_request, response) => {
    asked += 1;
    // The first look and a later one find nothing; then the API is away for longer than one look repeats.
    if (asked > 2 && asked < 9) return void response.destroy();
    const request_logs = asked < 9 ? [] : [entry];
    response.end(JSON.stringify({ request_logs, pagination: { next_cursor: null } }));
  });
  const tail = home.start(['logs', 'tail'], env);
  await tail.until(({ out }) => out !== '');
  tail.interrupt();
  const { exitCode, out, err } = await tail.end();
  expect([exitCode, out]).toEqual([
    0,
    expect.stringMatching(/^\S+ {2}GET +\/v1\/events {2}200 {2}7 ms {2}req_1\n$/),
  ]);
  expect(err).toMatch(/The connection was lost \(.*\); it will be resumed\.\nConnected again\.\n/);
}, 40_000);

it('a login with a key that the installation does not know stores nothing and says where keys are', async () => {
  await serve((_request, response) => {
    response
      .writeHead(401, { 'request-id': 'req_1' })
      .end(JSON.stringify({ code: 'unauthorized', message: 'no' }));
  });
  const login = ['login', '--json'];
  const { exitCode, err } = await home.gp(login, env);
  expect(exitCode).toBe(3);
  expect(JSON.parse(err)).toEqual({
    error: {
      code: 'unauthorized',
      status: 401,
      request_id: 'req_1',
      message: expect.stringMatching(
        / does not know this key \(401 unauthorized\)\. .* dashboard .* --url\.$/,
      ),
    },
  });
  expect((await home.gp(['profiles'])).out).toContain('There is no profile');
});

it('a login names the environment where the key comes from it, and the key that it replaces', async () => {
  await serve((_request, response) => void response.writeHead(200).end('{}'));
  const { GROUP_PAYMENTS_KEY: key, GROUP_PAYMENTS_URL: url = '' } = env;
  const first = await home.gp(['login', '--url', url], {}, key);
  expect(first.out).not.toMatch(/GROUP_PAYMENTS_KEY|before/);
  const second = await home.gp(['login', '--url', url], { GROUP_PAYMENTS_KEY: 'sk_test_another_key_9876' });
  expect(second.out).toContain('in test mode with GROUP_PAYMENTS_KEY, as profile default');
  expect(second.out).toContain('It had the key sk_test_…cdef before.');
  expect((await home.gp(['login', '--url', url], {}, 'sk_test_another_key_9876')).out).not.toContain(
    'before',
  );
});
