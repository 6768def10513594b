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

const file = () => join(dataDir, 'secrets.json');
const readFileMode = async () => ((await stat(file())).mode & 0o777).toString(8);

it('the secrets are created once, differ from one another, and stay the same at the next start', async () => {
  const first = await loadSecrets(dataDir, ['checkout', 'merchant']);
  expect(await loadSecrets(dataDir, ['checkout', 'merchant'])).toEqual(first);
  const all = [first.postgres, first.apiKeyPepper, first.encryptionKey, ...Object.values(first.roles)];
  expect(new Set(all).size).toBe(5);
  for (const key of [first.apiKeyPepper, first.encryptionKey])
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
});

it('a new service gets a password, and the other services keep theirs', async () => {
  const before = await loadSecrets(dataDir, ['checkout']);
  const after = await loadSecrets(dataDir, ['checkout', 'refund']);
  expect(after).toEqual({ ...before, roles: { ...before.roles, refund: expect.any(String) } });
});

it('a service that is left out for a while keeps its password', async () => {
  const before = await loadSecrets(dataDir, ['checkout', 'merchant']);
  await loadSecrets(dataDir, ['merchant']);
  expect(await loadSecrets(dataDir, ['checkout', 'merchant'])).toEqual(before);
});

it('only the owner can read the secrets, even when the file was readable before', async () => {
  await loadSecrets(dataDir, ['checkout']);
  expect(await readFileMode()).toBe('600');
  await chmod(file(), 0o644);
  await loadSecrets(dataDir, ['checkout']);
  expect(await readFileMode()).toBe('600');
});

it('a file that cannot be read stops the start: new secrets could not open the old data', async () => {
  await writeFile(file(), '{"postgres": "half');
  await expect(loadSecrets(dataDir, ['checkout'])).rejects.toThrow(/cannot be read; without it/);
  expect(await readFile(file(), 'utf8')).toBe('{"postgres": "half');
});
