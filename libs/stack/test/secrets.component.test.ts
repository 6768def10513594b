import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { loadSecrets } from '../src/secrets.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'group-payments-stack-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const load = (schemas: readonly string[]) => loadSecrets(dataDir, { schemas, sealing: schemas });
const file = () => join(dataDir, 'secrets.json');
const readFileMode = async () => ((await stat(file())).mode & 0o777).toString(8);

it('the secrets are created once, differ from one another, and stay the same at the next start', async () => {
  const first = await load(['checkout', 'merchant']);
  expect(await load(['checkout', 'merchant'])).toEqual(first);
  const { encryptionKeys, roles } = first;
  expect(Object.keys(encryptionKeys)).toEqual(['checkout', 'merchant']);
  const keys = [first.apiKeyPepper, ...Object.values(encryptionKeys)];
  const all = [first.postgres, ...keys, ...Object.values(roles)];
  expect(new Set(all).size).toBe(6);
  for (const key of keys) expect(Buffer.from(key, 'base64')).toHaveLength(32);
});

it('a new service gets a password, and the other services keep theirs', async () => {
  const before = await load(['checkout']);
  const after = await load(['checkout', 'refund']);
  expect(after).toEqual({
    ...before,
    roles: { ...before.roles, refund: expect.any(String) },
    encryptionKeys: { ...before.encryptionKeys, refund: expect.any(String) },
  });
});

it('a stack that began with one encryption key for all services keeps it beside the new ones (Y1)', async () => {
  await writeFile(file(), JSON.stringify({ encryptionKey: 'shared' }));
  const secrets = await load(['checkout']);
  expect(secrets.encryptionKey).toBe('shared');
  expect(secrets.encryptionKeys).toEqual({ checkout: expect.not.stringMatching('shared') });
  expect(await load(['checkout'])).toEqual(secrets);
});

it('a service that is left out for a while keeps its password', async () => {
  const before = await load(['checkout', 'merchant']);
  await load(['merchant']);
  expect(await load(['checkout', 'merchant'])).toEqual(before);
});

it('only the owner can read the secrets, even when the file was readable before', async () => {
  await load(['checkout']);
  expect(await readFileMode()).toBe('600');
  await chmod(file(), 0o644);
  await load(['checkout']);
  expect(await readFileMode()).toBe('600');
});

it('a file that cannot be read stops the start: new secrets could not open the old data', async () => {
  await writeFile(file(), '{"postgres": "half');
  await expect(load(['checkout'])).rejects.toThrow(/cannot be read; without it/);
  expect(await readFile(file(), 'utf8')).toBe('{"postgres": "half');
});
