import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually, freePort } from '@gp/testing';
import { startNats } from '../src/servers/nats.ts';
import { superviseServer } from '../src/supervise-server.ts';
import type { Supervised } from '../src/supervisor.ts';
import { exists } from './programs.ts';

let dataDir: string;
let port: number;
let opened: number[] = [];
let server: Supervised;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'group-payments-stack-'));
  port = await freePort();
  opened = [];
  server = superviseServer('nats', async () => {
    const started = await startNats({ dataDir, port });
    opened.push(started.pid);
    return started;
  });
});
afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('a supervised server returns by itself after a kill, on the same port', async () => {
  await server.start();
  await server.kill();
  await eventually(() => server.describe().pid ?? undefined);
  expect(server.describe()).toEqual({ name: 'nats', pid: opened[1], state: 'running', restarts: 1 });
});

it('a supervised server stays down when it was stopped, and starts on command', async () => {
  await server.start();
  await server.stop();
  expect(server.describe()).toEqual({ name: 'nats', pid: null, state: 'stopped', restarts: 0 });
  expect(exists(opened[0] ?? null)).toBe(false);
  await server.start();
  expect(server.describe().state).toBe('running');
});

it('a supervised server that is stopped while it is being opened leaves nothing running', async () => {
  const starting = server.start();
  await server.stop();
  await starting;
  expect(server.describe().state).toBe('stopped');
  for (const pid of opened) expect(exists(pid)).toBe(false);
});

it('a supervised server that is stopped while it is being restarted stays down', async () => {
  await server.start();
  await server.kill();
  await server.stop();
  await server.start();
  await server.stop();
  expect(server.describe().state).toBe('stopped');
  for (const pid of opened) expect(exists(pid)).toBe(false);
});

it('a supervised server that is started twice at once is opened once', async () => {
  await Promise.all([server.start(), server.start()]);
  expect(opened).toHaveLength(1);
});

it('a supervised server that could not be opened is down and may be tried again', async () => {
  const other = await startNats({ dataDir: join(dataDir, 'other'), port });
  await expect(server.start()).rejects.toThrow(/already in use/);
  expect(server.describe()).toMatchObject({ pid: null, state: 'stopped' });
  await other.stop();
  await server.start();
  expect(server.describe().state).toBe('running');
});
