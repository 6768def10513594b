import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runProgram } from '@gp/testing';
import { openFolderSecrets } from '../src/secrets/folder-secrets.ts';

const plan = {
  checkout: { ENCRYPTION_KEY: 'key', NATS_NKEY_SEED: 'seed' },
  postgres: { POSTGRES_PASSWORD: 'password' },
  migrations: {
    ADMIN_DATABASE_URL: 'postgres://admin:{postgres/POSTGRES_PASSWORD}@db:5432/payments?a=#$HOME `x`',
  },
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function makeSecretFiles(what: unknown) {
  const program = resolve(import.meta.dirname, '../src/make-secret-files.ts');
  const { child, ended } = runProgram(program, [], { FOLDER: folder, PLAN: JSON.stringify(what, null, 2) });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { code: (await ended).code, said };
}

const locate = (name: string) => join(folder, name, 'settings.env');

/** What Node, and what a shell, finds in the file of a secret under a name. */
function readBoth(name: string, key: string) {
  const script = `process.stdout.write(process.env.${key})`;
  const node = execFileSync(process.execPath, [`--env-file=${locate(name)}`, '--eval', script], { env: {} });
  const shell = execFileSync('/bin/sh', ['-c', `. "$1" && printf %s "$${key}"`, 'sh', locate(name)]);
  return [node.toString(), shell.toString()];
}

describe('secrets in a folder', () => {
  it('each secret is a file that Node and a shell read alike, whatever is in its values', async () => {
    expect(await makeSecretFiles(plan)).toEqual({
      code: 0,
      said: 'made the secrets checkout, postgres, migrations\n',
    });
    const [password] = readBoth('postgres', 'POSTGRES_PASSWORD');
    expect(password).toMatch(/^[0-9a-f]{48}$/);
    const url = plan.migrations.ADMIN_DATABASE_URL.replace('{postgres/POSTGRES_PASSWORD}', password!);
    expect(readBoth('migrations', 'ADMIN_DATABASE_URL')).toEqual([url, url]);
    const [key] = readBoth('checkout', 'ENCRYPTION_KEY');
    expect(Buffer.from(key!, 'base64')).toHaveLength(32);
  });

  it('a file of secrets is for its owner and the group, and nobody writes it', async () => {
    await makeSecretFiles(plan);
    expect(readdirSync(join(folder, 'checkout'))).toEqual(['settings.env']);
    const modes = ['checkout', 'checkout/settings.env'].map(
      (path) => statSync(join(folder, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o750, 0o440]);
  });

  it('a second run changes no file, and a key that a later release needs is added to those that are there', async () => {
    await makeSecretFiles(plan);
    const before = readFileSync(locate('checkout'), 'utf8');
    expect(await makeSecretFiles(plan)).toEqual({
      code: 0,
      said: 'every secret was there with all its keys\n',
    });
    expect(readFileSync(locate('checkout'), 'utf8')).toBe(before);
    const later = { ...plan, checkout: { ...plan.checkout, API_KEY_PEPPER: 'key' } };
    expect(await makeSecretFiles(later)).toEqual({ code: 0, said: 'added keys to checkout\n' });
    expect(readFileSync(locate('checkout'), 'utf8')).toMatch(
      new RegExp(`^${before.replaceAll(/[.+*?^$()[\]{}|]/g, String.raw`\$&`)}API_KEY_PEPPER='[^']+'\n$`),
    );
  });

  it('a secret that somebody makes or changes meanwhile keeps what it has', async () => {
    const store = openFolderSecrets(folder);
    expect(await store.create('checkout', { A: 'first' })).toBe(true);
    expect(await store.create('checkout', { A: 'second' })).toBe(false);
    const { version } = (await store.find('checkout'))!;
    expect(await store.extend('checkout', version, { B: 'first' })).toBe(true);
    expect(await store.extend('checkout', version, { B: 'second' })).toBe(false);
    expect((await store.find('checkout'))?.values).toEqual({ A: 'first', B: 'first' });
    expect(readdirSync(join(folder, 'checkout'))).toEqual(['settings.env']);
  });

  it.each([
    ['a name that leads out of the folder', { '../elsewhere': { KEY: 'key' } }],
    ['a key that is no variable', { checkout: { 'a-key': 'key' } }],
    ['a text that ends its own quotes', { checkout: { KEY: 'key', TEXT: "{KEY}' $(id)" } }],
    ['a text of two lines', { checkout: { KEY: 'key', TEXT: '{KEY}\nOTHER=1' } }],
    ['a text that is made of nothing', { checkout: { KEY: 'short' } }],
  ])('%s is a fault of the plan, and nothing is made', async (_title, wrong) => {
    const { code, said } = await makeSecretFiles(wrong);
    expect({ code, said }).toEqual({ code: 78, said: expect.stringMatching(/has 1 fault\(s\):\n- PLAN: /) });
    expect(readdirSync(folder)).toEqual([]);
  });
});
