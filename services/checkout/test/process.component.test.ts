import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import {
  childEnv,
  eventually,
  patientPg,
  testDatabase,
  testNats,
  type OwnServer,
  type TestDatabase,
} from '@gp/testing';
import { failPoints } from '../src/fail-points.ts';
import {
  encryptionKey,
  groupId,
  intentId,
  playNeighbours,
  schemas,
  start,
  usualAnswers,
  type Asked,
} from './support/checkout.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let nats: OwnServer;
let database: TestDatabase;
let others: Bus;
const asked: Asked[] = [];
const running: ChildProcess[] = [];

beforeEach(async () => {
  asked.length = 0;
  nats = await testNats();
  database = await testDatabase({ schemas });
  others = await openBus({ servers: nats.url, name: 'others' });
  const answers = usualAnswers();
  playNeighbours(others, () => answers, asked);
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  await others.close();
  await nats.stop();
  await database.drop();
});

/** Starts the service as a process with this environment and nothing of ours. */
function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--no-warnings', main], {
    env: childEnv({
      METRICS_PORT: '0',
      PORT: '0',
      DATABASE_URL: database.url('checkout'),
      ENCRYPTION_KEY: encryptionKey,
      ...env,
    }),
  });
  running.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as unknown,
    signal: signal as unknown,
  }));
  const metricsPort = () =>
    eventually(() => {
      const line = lines.find((candidate) => candidate.includes('"msg":"started"'));
      return line === undefined ? undefined : (JSON.parse(line) as { port: number }).port;
    });
  const httpPort = () =>
    eventually(() => {
      const line = lines.find((candidate) => candidate.includes('"msg":"listening for HTTP"'));
      return line === undefined ? undefined : (JSON.parse(line) as { port: number }).port;
    });
  return { child, ended, metricsPort, httpPort, output: () => lines.join('\n') };
}

async function get(port: number, path: string, o: RequestInit = {}) {
  const headers = { connection: 'close' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...o, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const readiness = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } });
  await response.text();
  return response.status;
};
const group = { merchant_id: 'm1', mode: 'test', group_id: groupId } as const;
const keyModes = async () =>
  (await others.call(contracts.listSigningKeys, {})).keys.map(({ mode }) => mode).toSorted();
/** This service's rows about ended tokens of groups. */
async function listEpochs(): Promise<unknown[]> {
  const db = await patientPg({ url: database.url('checkout'), name: 'test', max: 1 });
  const { rows } = await db.pool.query<Record<string, unknown>>('select epoch, link from session_epochs');
  await db.close();
  return rows;
}
const startPayment = (timeoutMs = 20_000) => others.call(contracts.startPayment, start, { timeoutMs });

it('the service is ready with the bus, replies, and ends with exit code 0', async () => {
  const service = run({ NATS_URL: nats.url });
  const port = await service.metricsPort();
  await eventually(async () => (await readiness(port)) === 200 || undefined);
  expect(await startPayment()).toMatchObject({ payment_intent_id: intentId });
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});

it.each([
  ['https://pay.example', 'max-age=63072000; includeSubDomains'],
  ['http://pay.example', null],
])('at %s, every response of checkout has one HSTS header or none (X3)', async (CHECKOUT_URL, header) => {
  const service = run({ NATS_URL: nats.url, CHECKOUT_URL, API_URL: CHECKOUT_URL });
  const port = await service.httpPort();
  for (const path of ['/', '/nowhere', '/.well-known/jwks.json', '/embed/v1'])
    expect((await get(port, path)).headers.get('strict-transport-security')).toBe(header);
});

it('strangers find the contact in security.txt, and browsers may report to the address of the policy (Y5, Y6)', async () => {
  const service = run({ NATS_URL: nats.url, SECURITY_CONTACT: 'mailto:security@pay.example' });
  const port = await service.httpPort();
  const contact = await get(port, '/.well-known/security.txt');
  expect([contact.status, contact.text]).toEqual([
    200,
    expect.stringContaining('mailto:security@pay.example'),
  ]);
  const { headers } = await get(port, '/');
  expect(headers.get('content-security-policy')).toMatch(/; report-uri \/csp-reports; report-to csp$/);
  expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"');
  const body = { 'csp-report': { 'violated-directive': 'img-src', 'blocked-uri': 'https://evil.example/x' } };
  expect((await get(port, '/csp-reports', { method: 'POST', body: JSON.stringify(body) })).status).toBe(204);
  await eventually(() => service.output().includes('https://evil.example') || undefined);
});

it('the service without the bus is not ready and does not exit; it takes up work when the bus is there', async () => {
  await nats.down();
  const service = run({ NATS_URL: nats.url });
  const port = await service.metricsPort();
  expect(await readiness(port)).toBe(503);
  await nats.up();
  await eventually(async () => (await readiness(port)) === 200 || undefined);
  expect(await eventually(() => startPayment())).toMatchObject({ payment_intent_id: intentId });
});

it.each([
  ['checkout.reserve.before', []],
  ['checkout.reserve.after', ['reserve']],
  ['checkout.prepare.before', ['reserve']],
  ['checkout.prepare.after', ['reserve', 'prepare']],
] as const)('a call whose process is killed at %s is answered by the next process', async (point, done) => {
  expect(failPoints).toContain(point);
  const first = run({ NATS_URL: nats.url, GP_FAIL_POINT: point });
  await first.metricsPort();
  const answer = startPayment(60_000);
  expect((await first.ended).signal).toBe('SIGKILL');
  // A request without an answer for two seconds is sent again.
  expect([...new Set(asked.map(({ step }) => step))]).toEqual(done);
  const second = run({ NATS_URL: nats.url });
  await second.metricsPort();
  expect(await answer).toMatchObject({ payment_intent_id: intentId });
});

it.each(['checkout.session-mint.before', 'checkout.session-mint.after'])(
  'a token whose process is killed at %s is minted when it is requested again',
  async (point) => {
    const first = run({ NATS_URL: nats.url, GP_FAIL_POINT: point });
    await first.metricsPort();
    await eventually(async () => (await keyModes()).length === 2 || undefined);
    const wanted = others.call(
      contracts.mintSession,
      { ...group, customer_email: 'a@b.co' },
      { timeoutMs: 60_000 },
    );
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = run({ NATS_URL: nats.url });
    await second.metricsPort();
    // The question is repeatable: the bus asks it again by itself.
    expect(await wanted).toMatchObject({ group_id: groupId, expires_in: 1_800 });
  },
);

it.each([
  ['checkout.session-revoke.before', 1],
  ['checkout.session-revoke.after', 2],
] as const)(
  'tokens whose process is killed at %s are revoked when it is requested again',
  async (point, epoch) => {
    const raised: unknown[] = [];
    others.listen('evt.checkout.session_epoch.raised.v1.*', ({ payload }) => raised.push(payload));
    await others.ensureStreams();
    const first = run({ NATS_URL: nats.url, GP_FAIL_POINT: point });
    await first.metricsPort();
    const wanted = others.call(contracts.revokeSessions, group, { timeoutMs: 60_000 });
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = run({ NATS_URL: nats.url });
    await second.metricsPort();
    expect(await wanted).toEqual({ epoch });
    await eventually(() => raised.length === epoch || undefined);
    expect(raised).toEqual(Array.from({ length: epoch }, (_, index) => ({ ...group, epoch: index + 1 })));
  },
);

it.each(['checkout.link-roll.before', 'checkout.link-roll.after'])(
  'killed at %s, the link is replaced and the tokens end when it is asked for again (X13)',
  async (point) => {
    const first = run({ NATS_URL: nats.url, GP_FAIL_POINT: point });
    await first.metricsPort();
    const roll = {
      ...group,
      command_id: 'c'.repeat(64),
      fingerprint: 'd'.repeat(64),
      actor: 'merchant',
    };
    const wanted = others.call(contracts.rollCheckoutLink, roll, { timeoutMs: 60_000 });
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = run({ NATS_URL: nats.url });
    await second.metricsPort();
    expect(await wanted).toEqual({ page_token: 'q'.repeat(22) });
    expect(await listEpochs()).toEqual([{ epoch: 1, link: 1 }]);
  },
);

it.each(['checkout.signing-key.before', 'checkout.signing-key.after'])(
  'a process killed at %s leaves one key for each mode in the end',
  async (point) => {
    const first = run({ NATS_URL: nats.url, GP_FAIL_POINT: point });
    expect((await first.ended).signal).toBe('SIGKILL');
    const second = run({ NATS_URL: nats.url });
    await second.metricsPort();
    await eventually(async () => (await keyModes()).length >= 2 || undefined);
    expect(await keyModes()).toEqual(['live', 'test']);
  },
);

it('every wrong setting is named, and the exit code reports the fault', async () => {
  const service = run({ NATS_URL: 'http://nowhere', CONFIRM_WAIT_MS: '-1' });
  expect(await service.ended).toEqual({ code: 78, signal: null });
  expect(service.output()).toMatch(/NATS_URL[^]*CONFIRM_WAIT_MS/);
});
