import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openBus, readPublicKey, type Bus } from '@gp/bus';
import { childEnv, eventually, testNats } from '@gp/testing';
import { busPermissions, toKeySetting, type NatsUser } from '../src/identities.ts';

const program = resolve(import.meta.dirname, '../src/print-identities.ts');
const values = resolve(import.meta.dirname, '../../../k8s/production/nats-permissions.yaml');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gp-identities-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const make = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--no-warnings', program, folder, ...args], { env: childEnv() });
const readSeed = (name: string) => readFile(join(folder, 'seeds', name), 'utf8');

/** The users of the servers as the file of keys has them at this moment, the current ones and the previous ones. */
async function readUsers(): Promise<NatsUser[]> {
  const lines = (await readFile(join(folder, 'public-keys.env'), 'utf8')).trim().split('\n');
  const keys = new Map(lines.map((line) => line.split('=') as [string, string]));
  return Object.entries(busPermissions).flatMap(([name, permissions]) =>
    ['', '_PREVIOUS'].map((suffix) => ({ nkey: keys.get(toKeySetting(name) + suffix) ?? '', permissions })),
  );
}

/** Starts a server that must admit one seed, and returns for each of the others whether it was admitted meanwhile. */
async function admits(
  users: readonly NatsUser[],
  good: string,
  others: readonly string[],
): Promise<boolean[]> {
  const nats = await testNats({ users });
  const open = (nkeySeed: string): Promise<Bus> => openBus({ servers: nats.url, name: 'refund', nkeySeed });
  const tried = await Promise.all(others.map(open));
  const bus = await open(good);
  await eventually(() => bus.isConnected() || undefined);
  const admitted = tried.map((each) => each.isConnected());
  await Promise.all([bus, ...tried].map((each) => each.close()));
  await nats.stop();
  return admitted;
}

it('servers admit the old and the new identity during a rotation, and the new one alone after it (M8)', async () => {
  await make();
  const old = await readSeed('refund');
  expect((await stat(join(folder, 'seeds', 'refund'))).mode & 0o777).toBe(0o600);
  expect(await admits(await readUsers(), old, [])).toEqual([]);
  await make();
  const fresh = await readSeed('refund');
  expect(readPublicKey(fresh)).not.toBe(readPublicKey(old));
  for (const good of [old, fresh]) expect(await admits(await readUsers(), good, [])).toEqual([]);
  await make('--finish');
  expect(await readSeed('refund')).toBe(fresh);
  expect(await admits(await readUsers(), fresh, [old])).toEqual([false]);
});

it('the values for the NATS chart name every key that the file of keys has (M8)', async () => {
  const text = await readFile(values, 'utf8');
  for (const name of Object.keys(busPermissions))
    for (const key of [toKeySetting(name), `${toKeySetting(name)}_PREVIOUS`])
      expect(text).toContain(`<< $${key} >>`);
});

it('the seed that may do everything is not among those for the platform', async () => {
  await expect(readSeed('administrator')).rejects.toThrow('ENOENT');
  expect(readPublicKey(await readFile(join(folder, 'administrator.seed'), 'utf8'))).toMatch(/^U/);
});
