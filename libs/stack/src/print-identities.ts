import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIdentity } from '@gp/bus';
import { busPermissions, toKeySetting } from './identities.ts';

/**
 * `print-identities FOLDER [--finish]`: writes a seed for each identity and the public keys for the NATS servers. In a
 * folder that has keys already it begins a rotation, in which the servers admit the old and the new keys; `--finish`
 * ends it.
 */
const [folder, flag] = process.argv.slice(2);
if (folder === undefined || (flag !== undefined && flag !== '--finish')) {
  process.stderr.write('usage: npm run identities -- FOLDER [--finish]\n');
  process.exit(2);
}
await writeIdentities(folder, flag === '--finish');

async function writeIdentities(into: string, isEnd: boolean): Promise<void> {
  const file = join(into, 'public-keys.env');
  const known = await readKeys(file);
  if (isEnd && known.size === 0) throw new Error(`${file} is not there: there is no rotation to finish`);
  await mkdir(join(into, 'seeds'), { recursive: true, mode: 0o700 });
  const lines: string[] = [];
  for (const name of Object.keys(busPermissions)) {
    const setting = toKeySetting(name);
    const before = known.get(setting);
    const current = isEnd ? before : await createSeed(into, name);
    // The server wants a key for each user: nobody has the seed of this one.
    const previous = (isEnd ? undefined : before) ?? createIdentity().publicKey;
    lines.push(`${setting}=${current ?? (await createSeed(into, name))}`, `${setting}_PREVIOUS=${previous}`);
  }
  await writeFile(file, `${lines.join('\n')}\n`);
}

/** Writes a new seed where only its owner can read it; returns its public key. */
async function createSeed(into: string, name: string): Promise<string> {
  const { seed, publicKey } = createIdentity();
  const file = name === 'administrator' ? join(into, 'administrator.seed') : join(into, 'seeds', name);
  await writeFile(file, seed, { mode: 0o600 });
  return publicKey;
}

async function readKeys(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
