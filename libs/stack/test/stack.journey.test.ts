import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { childEnv, claimRange, eventually, ownPostgres, testNats, type OwnServer } from '@gp/testing';
import { openStack, type Stack } from '../src/stack.ts';
import { services } from '../src/services.ts';
import { SHOP } from '../src/shop.ts';
import { exists } from './programs.ts';

const root = resolve(import.meta.dirname, '../../..');
const patience = 120_000;

let dataDir: string;
let postgres: OwnServer;
let nats: OwnServer;
let stack: Stack;
let range: Awaited<ReturnType<typeof claimRange>>;

/** Every service in its own process, on a Postgres and a NATS that exist already. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'group-payments-stack-'));
  [postgres, nats] = await Promise.all([ownPostgres(), testNats()]);
  await writeFile(join(dataDir, 'stack.json'), '{"left": "by a stack that was killed"}');
  range = await claimRange();
  const env = childEnv({
    GP_PORT_BASE: String(range.base),
    GP_DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    NATS_URL: nats.url,
  });
  stack = await openStack({ root, env });
}, patience);
afterAll(async () => {
  await stack?.stop();
  range?.claim.close();
  await nats?.stop();
  await postgres?.stop();
  await rm(dataDir, { recursive: true, force: true });
}, patience);

type StackJson = { services: Record<string, { pid: number; metrics: string; health: string }> } & Record<
  string,
  unknown
>;
const file = () => join(dataDir, 'stack.json');
const read = async () => JSON.parse(await readFile(file(), 'utf8')) as StackJson;
const get = async (url: string) => {
  const response = await fetch(url, { headers: { connection: 'close' } });
  return { status: response.status, text: await response.text() };
};
const local = (port: number) => `http://127.0.0.1:${port}`;

describe('stack.json', () => {
  it('stack.json lists the address of every part of the stack, and nothing of an earlier stack', async () => {
    const { services: _services, merchants: _merchants, ...places } = await read();
    const { ports } = stack;
    expect(places).toEqual({
      api: local(ports.api),
      checkout: local(ports.checkout),
      dashboard: local(ports.dashboard),
      sandbox: local(ports.sandbox),
      widget: `${local(ports.checkout)}/widget/v1.js`,
      shop: local(ports.shop),
      gateway_a: local(ports.sandboxPorts['gateway-a'] ?? 0),
      relay: local(ports.sandboxPorts['relay'] ?? 0),
      control: local(ports.control),
      postgres: expect.stringMatching(/^postgres:\/\/.*\/gp$/),
      nats: nats.url,
      nats_seeds: {},
      operator_key: expect.stringMatching(/^SO[A-Z2-7]{56}$/),
      merchants_settings: {
        DATABASE_URL: expect.stringMatching(/^postgres:\/\/merchant:.*\/gp$/),
        NATS_URL: nats.url,
        API_KEY_PEPPER: expect.any(String),
      },
    });
  });

  it('stack.json lists the demo merchants: one per gateway, one with several, one with none, each with its keys', async () => {
    const merchants = (await read())['merchants'] as Record<string, unknown>[];
    expect(merchants.map(({ gateway }) => gateway)).toEqual([...pspCodes, 'multi', null]);
    for (const merchant of merchants)
      expect(merchant).toMatchObject({
        name: expect.any(String),
        email: expect.stringContaining('@'),
        password: expect.any(String),
        test_key: expect.stringMatching(/^sk_test_/),
        live_key: expect.stringMatching(/^sk_live_/),
      });
  });

  it('stack.json names every service with a process that is alive, healthy and measured', async () => {
    const { services: listed } = await read();
    expect(Object.keys(listed)).toEqual(services.map(({ name }) => name));
    for (const { pid, health, metrics } of Object.values(listed)) {
      expect(exists(pid)).toBe(true);
      await eventually(async () => (await get(health)).status === 200 || undefined);
      expect((await get(metrics)).text).toContain('process_cpu_seconds_total');
    }
  });

  it('stack.json is readable by its owner only, because it holds keys and passwords', async () => {
    for (const name of ['stack.json', 'merchants.json', 'secrets.json', 'services.log'])
      expect([(await stat(join(dataDir, name))).mode & 0o777, name]).toEqual([0o600, name]);
  });

  it('stack.json names the new process of a service that was killed', async () => {
    const before = (await read()).services['scheduler']?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    const after = await eventually(async () => {
      const { pid } = (await read()).services['scheduler'] ?? {};
      return pid !== undefined && pid !== before && exists(pid) ? pid : undefined;
    });
    expect(stack.processes.get('scheduler')?.describe()).toMatchObject({ pid: after, restarts: 1 });
  });
});

it('a second stack on ports that are taken is refused with a sentence that names one', async () => {
  const env = childEnv({ GP_PORT_BASE: String(range.base), GP_DATA_DIR: join(dataDir, 'second') });
  await expect(openStack({ root, env })).rejects.toThrow(
    /^Port \d+ on 127\.0\.0\.1, wanted for [\w ]+, is already in use\.$/,
  );
});

it('the stack uses the servers that its environment names, and supervises none of its own', async () => {
  const { processes } = JSON.parse((await get(`${local(stack.ports.control)}/processes`)).text) as {
    processes: { name: string }[];
  };
  expect(processes.map(({ name }) => name)).toEqual([...services.map(({ name }) => name), SHOP]);
});

it('the stack serves the sample shop, whose origin its merchant has registered', async () => {
  expect((await get(local(stack.ports.shop))).text).toContain('Weekends for friends');
  const allowed = await eventually(async () => {
    const preflight = await fetch(`${local(stack.ports.api)}/v1/group-payments/any/pay`, {
      method: 'OPTIONS',
      headers: {
        origin: local(stack.ports.shop),
        'access-control-request-method': 'POST',
        connection: 'close',
      },
    });
    await preflight.text();
    return preflight.headers.get('access-control-allow-origin') ?? undefined;
  });
  expect(allowed).toBe(local(stack.ports.shop));
});

it('all services write their logs to one file, one JSON object a line', async () => {
  const lines = (await readFile(stack.logFile, 'utf8')).trim().split('\n');
  const told = new Set(lines.map((line) => (JSON.parse(line) as { service: string }).service));
  expect([...told].sort()).toEqual(services.map(({ name }) => name).sort());
});

it(
  'a stop leaves no process and no stack.json, and a second stop has no effect',
  async () => {
    const pids = [...stack.processes.values()].map((each) => each.describe().pid);
    await Promise.all([stack.stop(), stack.stop()]);
    expect(pids.filter(exists)).toEqual([]);
    await expect(read()).rejects.toMatchObject({ code: 'ENOENT' });
  },
  patience,
);
