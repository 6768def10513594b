import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isOperatorKey, openBus, openOperatorSigner, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { AppError } from '@gp/errors';
import { createOperator, playOperators, testNats, type OwnServer } from '@gp/testing';
import { runOperator } from './run-operator.ts';

const ann = createOperator('ann');
let nats: OwnServer;
let others: Bus;
let folder: string;
const added: object[] = [];
let refuses: AppError | undefined;

beforeAll(async () => {
  nats = await testNats();
  folder = await mkdtemp(join(tmpdir(), 'group-payments-operator-'));
  others = await openBus({ servers: nats.url, name: 'ledger' });
  playOperators(others, ann);
  others.serve(contracts.addOperatorKey, (request) => {
    added.push(request);
    return refuses ? Promise.reject(refuses) : Promise.resolve(buildView(request));
  });
  others.serve(contracts.listOperatorKeys, () => Promise.resolve({ keys: [buildView(ann.person)] }));
  others.serve(contracts.revokeOperatorKey, ({ key }) =>
    Promise.resolve({
      ...buildView({ ...ann.person, key }),
      state: 'revoked',
      revoked_at: '2030-01-01T00:00:00.000Z',
      revoked_by: 'ann',
    }),
  );
});
beforeEach(() => {
  refuses = undefined;
  added.length = 0;
});
afterAll(async () => {
  await others?.close();
  await nats?.stop();
  await rm(folder, { recursive: true, force: true });
});

function buildView(
  o: Pick<contracts.OperatorKey, 'key' | 'name' | 'role'> & { expires_at?: string | null },
): contracts.OperatorKey {
  const { key, name, role, expires_at = null } = o;
  const added_at = '2030-01-01T00:00:00.000Z';
  const none = { revoked_at: null, revoked_by: null };
  return { key, name, role, state: 'valid', added_at, added_by: 'ann', expires_at, ...none };
}

const settings = () => ({ NATS_URL: nats.url, OPERATOR_KEY: ann.seed });
const run = (args: readonly string[], env: Record<string, string> = settings(), input = '') =>
  runOperator([...args, '--json'], env, input);
const path = (name: string) => join(folder, name);
const add = ['keys', 'add', '--name', 'ben', '--role', 'act'];

describe('keys', () => {
  it('a new key is registered by its public half, and its private half is printed once and never sent (Q69)', async () => {
    const { code, out } = await run([...add, '--expires', '2030-06-01T12:00:00+02:00']);
    expect(code).toBe(0);
    const { key, private_key, name, role } = JSON.parse(out) as Record<string, string>;
    expect({ name, role }).toEqual({ name: 'ben', role: 'act' });
    expect(openOperatorSigner(String(private_key)).key).toBe(key);
    expect(added).toEqual([{ key, name, role, expires_at: '2030-06-01T10:00:00.000Z' }]);
    expect(JSON.stringify(added)).not.toContain(private_key);
  });

  it('a new key is written to a file that only its owner may read, and that nothing overwrites (Q69)', async () => {
    const file = path('ben.key');
    const { code, out } = await run([...add, '--out', file]);
    expect([code, out]).toEqual([0, expect.not.stringMatching(/SO[A-Z2-7]{56}/)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const seed = await readFile(file, 'utf8');
    expect(added).toMatchObject([{ key: openOperatorSigner(seed.trim()).key }]);
    const again = await run([...add, '--out', file]);
    expect([again.code, again.err]).toEqual([1, expect.stringMatching(/^EEXIST/)]);
    expect([added.length, await readFile(file, 'utf8')]).toEqual([1, seed]);
  });

  it('the file of a new key is deleted when the platform refuses to register it (Q69)', async () => {
    refuses = new AppError('conflict', { message: 'this key is registered already' });
    const { code, err } = await run([...add, '--out', path('refused.key')]);
    expect([code, err]).toEqual([1, 'conflict: this key is registered already\n']);
    await expect(stat(path('refused.key'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('the file of a new key is kept when no answer came, because the key may be registered (Q69)', async () => {
    refuses = new AppError('service_unavailable', { retryAfterSeconds: 1 });
    const { code, err } = await run([...add, '--out', path('doubtful.key')]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^service_unavailable: /)]);
    expect(added).toMatchObject([
      { key: openOperatorSigner((await readFile(path('doubtful.key'), 'utf8')).trim()).key },
    ]);
  });

  it('a key that its owner made elsewhere is registered by its public half only (Q69)', async () => {
    const made = await run(['keys', 'new', '--name', 'cleo', '--out', path('cleo.key')], {});
    expect(made.code).toBe(0);
    const { key, first_operator } = JSON.parse(made.out) as Record<string, string>;
    expect([isOperatorKey(String(key)), first_operator]).toEqual([true, `cleo:${String(key)}`]);
    const { code, out } = await run([
      'keys',
      'add',
      '--name',
      'cleo',
      '--role',
      'read',
      '--key',
      String(key),
    ]);
    expect([code, out]).toEqual([0, expect.not.stringContaining('private_key')]);
    expect(added).toEqual([{ key, name: 'cleo', role: 'read', expires_at: null }]);
  });

  it('keys are listed, and revoked by their public half (Q69)', async () => {
    const { key } = ann.person;
    const listed = await run(['keys', 'list']);
    expect(JSON.parse(listed.out)).toEqual({ keys: [buildView(ann.person)] });
    const revoked = await run(['keys', 'revoke', '--key', key]);
    expect(JSON.parse(revoked.out)).toMatchObject({ key, state: 'revoked', revoked_by: 'ann' });
  });
});

/** Another letter in the middle, which the checksum does not fit. */
const mistype = (seed: string): string =>
  `${seed.slice(0, 10)}${seed[10] === 'A' ? 'B' : 'A'}${seed.slice(11)}`;

describe('the key that signs', () => {
  const list = ['keys', 'list'];
  const bus = () => ({ NATS_URL: nats.url });
  const writeKey = async (mode: number): Promise<string> => {
    const file = path(`ann-${mode}.key`);
    await writeFile(file, `${ann.seed}\n`);
    await chmod(file, mode);
    return file;
  };

  it('the operator’s command line reads the key from a file, from an option and from standard input (Q66)', async () => {
    const file = await writeKey(0o600);
    const ways = [
      await run(list, { ...bus(), OPERATOR_KEY_FILE: file }),
      await run([...list, '--operator-key', file], bus()),
      await run([...list, '--operator-key', '-'], bus(), `${ann.seed}\n`),
    ];
    expect(ways.map(({ code, err }) => [code, err])).toEqual(ways.map(() => [0, '']));
  });

  it('without settings the command uses the bus and the key of the stack that runs on this machine', async () => {
    const stack = JSON.stringify({ nats: nats.url, operator_key: ann.seed });
    await writeFile(path('stack.json'), stack);
    const { code, err } = await run(list, { GP_DATA_DIR: folder });
    expect([code, err]).toEqual([0, '']);
  });

  it('a file that others may read is refused with what to do, exit code 78', async () => {
    const file = await writeKey(0o640);
    const { code, err } = await run(list, { ...bus(), OPERATOR_KEY_FILE: file });
    expect([code, err]).toEqual([78, expect.stringContaining(`chmod 600 ${file}`)]);
  });

  it.each([
    ['missing', {}, 'OPERATOR_KEY or OPERATOR_KEY_FILE is required'],
    ['mistyped', { OPERATOR_KEY: mistype(ann.seed) }, 'mistyped'],
    ['the seed of a service', { OPERATOR_KEY: `SU${'A'.repeat(56)}` }, 'OPERATOR_KEY'],
    ['in no file', { OPERATOR_KEY_FILE: '/nowhere/ann.key' }, 'cannot be read (ENOENT)'],
  ] as const)(
    'a key that is %s ends the command with exit code 78 and a sentence without it',
    async (_, env, text) => {
      const { code, out, err } = await run(list, { ...bus(), ...env });
      expect([code, out]).toEqual([78, '']);
      expect(err).toContain(text);
      expect(err).not.toMatch(/S[OU][A-Z2-7]{56}/);
    },
  );

  it('a key that the platform does not know is refused with its reason, exit code 1 (Q67)', async () => {
    const { code, err } = await run(list, { ...bus(), OPERATOR_KEY: createOperator('ann').seed });
    expect([code, err]).toEqual([1, 'unauthorized: no operator of this test signed it\n']);
  });
});
