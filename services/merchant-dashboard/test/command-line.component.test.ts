import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { byOperator, openBus, type Bus } from '@gp/bus';
import { identifyOperator, parseApiKeyMode, type RequestOf } from '@gp/contracts';
import { openPg, type Db } from '@gp/pg';
import {
  createOperator,
  eventually,
  playOperators,
  testDatabase,
  testNats,
  type OwnServer,
  type TestDatabase,
} from '@gp/testing';
import { password, playNeighbours, schemas } from './support/dashboard.ts';
import { runCli, settings } from './support/process.ts';

let database: TestDatabase;
let nats: OwnServer;
let others: Bus;
let db: Db;
let merchant: string;
const email = 'owner@casalola.example';
const ann = createOperator('ann', 'act');
/** What the ledger was told of the operator's commands. */
const told: object[] = [];

beforeAll(async () => {
  database = await testDatabase({ schemas });
  nats = await testNats();
  db = await openPg({ url: database.url('merchant'), name: 'test', max: 1, connectTimeoutMs: 30_000 });
  others = await openBus({ servers: nats.url, name: 'others' });
  await eventually(() => others.isConnected() || undefined);
  await others.ensureStreams();
  playNeighbours(others);
  playOperators(others, ann);
  const identify = byOperator(async (request: RequestOf<typeof identifyOperator>, operator) => {
    told.push({ by: operator.name, ...request });
    return operator;
  });
  others.serve(identifyOperator, identify);
  const created = await cli(['create', '--name', 'Casa Lola', '--email', email], `${password}\n`);
  merchant = created.answer()['merchant_id'] as string;
});
afterAll(async () => {
  await others?.close();
  await db?.close();
  await nats?.stop();
  await database?.drop();
});

const environment = () => ({
  ...settings({ database: database.url('merchant'), nats: nats.url }),
  OPERATOR_KEY: ann.seed,
});
/** On a busy machine a command may be too impatient for the bus or the database: then it is given again. */
const cli = (args: string[], input = '') =>
  eventually(async () => {
    const done = await runCli(['merchants', ...args, '--json'], environment(), input);
    return done.err.includes('not available at the moment') ? undefined : done;
  });
const here = (...more: string[]) => ['--merchant', merchant, '--mode', 'test', ...more];

describe('exit 0', () => {
  it('a merchant is found again by the e-mail of its owner', async () => {
    const { code, answer } = await cli(['find', '--email', email.toUpperCase()]);
    expect(code).toBe(0);
    expect(answer()).toEqual({ merchant_id: merchant, merchant_name: 'Casa Lola', email, role: 'owner' });
  });

  it('a key is created and printed once, listed without it, and revoked', async () => {
    const made = await cli(['key', ...here('--name', 'server')]);
    expect(made.code).toBe(0);
    const { key, id, ...shown } = made.answer();
    expect(parseApiKeyMode(key as string)).toBe('test');
    const listed = await cli(['keys', ...here()]);
    expect(listed.answer()).toEqual({ keys: [{ id, ...shown, seen_in_browsers: [] }] });
    expect(listed.out).not.toContain(key);
    const revoked = await cli(['revoke-key', '--merchant', merchant, '--key', id as string]);
    expect(revoked.answer()).toMatchObject({
      id,
      revoked_at: expect.any(String),
      created_by: 'operator:ann',
    });
    const outbox = await db.pool.query<{ subject: string }>('select subject from outbox order by position');
    const about = `evt.merchant.api_key.changed.v1.${merchant}`;
    expect(outbox.rows.map(({ subject }) => subject)).toEqual([about, about]);
  });

  it('a command that changes something calls the relay of the running dashboard, which may be resting', async () => {
    const relay = db.leadership('outbox-relay');
    let calls = 0;
    relay.onCall(() => (calls += 1));
    expect(await relay.claim()).toBe(true);
    await cli(['keys', ...here()]);
    expect(calls).toBe(0);
    await cli(['key', ...here('--name', 'called')]);
    await eventually(() => calls === 1 || undefined);
    await relay.release();
  });

  it('a gateway is connected, verified, chosen, listed and disconnected', async () => {
    const at = here('--psp', 'gateway_a');
    const connected = await cli(['connect', ...at], '{"secret_key": "sk_sentinel"}');
    expect(connected.answer()).toMatchObject({ psp_code: 'gateway_a', version: 1, active: true });
    expect(connected.out).not.toContain('sentinel');
    expect((await cli(['verify', ...at])).answer()).toEqual({ valid: true, reason: null });
    expect((await cli(['activate', ...at])).answer()).toMatchObject({ active: true });
    expect((await cli(['gateways', ...here()])).answer()['gateways']).toHaveLength(1);
    expect((await cli(['disconnect', ...at])).answer()).toEqual({ disconnected: true });
    expect((await cli(['gateways', ...here()])).answer()).toEqual({ gateways: [] });
  });

  it('the audit log names the operator and the verified key of each operator’s command (Q66)', async () => {
    const { rows } = await db.pool.query<{ action: string }>(
      `select action from audit_log where actor = 'operator:ann' and details ->> 'operator_key' = $1 order by at`,
      [ann.person.key],
    );
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'api_key.created',
        'api_key.revoked',
        'gateway.connected',
        'gateway.disconnected',
      ]),
    );
  });
});

describe('the operator', () => {
  it('the dashboard sends each command with the role it needs to the ledger before it carries it out (Q66)', async () => {
    await cli(['keys', ...here()]);
    await cli(['key', ...here('--name', 'told')]);
    expect(told.slice(-2)).toEqual([
      { by: 'ann', needs: 'read', action: 'merchants keys', subject: merchant },
      { by: 'ann', needs: 'act', action: 'merchants key', subject: merchant },
    ]);
  });

  it('a command with a key that the ledger does not know is refused, and nothing is stored (Q67)', async () => {
    const env = { ...environment(), OPERATOR_KEY: createOperator('ann').seed };
    const made = ['merchants', 'key', ...here('--name', 'forged')];
    const { code, err } = await runCli(made, env);
    expect({ code, err }).toEqual({ code: 1, err: 'no operator of this test signed it\n' });
    const { rowCount } = await db.pool.query(`select from api_keys where name = 'forged'`);
    expect(rowCount).toBe(0);
  });

  it('a command without a key of the operator ends with exit code 78', async () => {
    const { OPERATOR_KEY: _, ...env } = environment();
    const { code, err } = await runCli(['merchants', 'keys', ...here()], env);
    expect([code, err]).toEqual([
      78,
      expect.stringContaining('OPERATOR_KEY or OPERATOR_KEY_FILE is required'),
    ]);
  });

  it('the key and what a command reads may both come from standard input, the key first', async () => {
    const { OPERATOR_KEY: _, ...env } = environment();
    const made = [
      'create',
      '--name',
      'By input',
      '--email',
      'input@x.example',
      '--operator-key',
      '-',
      '--json',
    ];
    const { code, answer } = await runCli(made, env, `${ann.seed}\n${password}\n`);
    expect([code, answer()]).toEqual([0, expect.objectContaining({ merchant_id: expect.any(String) })]);
  });
});

const nowhere = '0198c3f0-0000-7000-8000-00000000000a';

describe('exit 1 with one sentence and no stack', () => {
  it.each<[string, string[], string]>([
    ['e-mail', ['create', '--name', 'X', '--email', 'no address'], password],
    ['at least|fewer than 12|characters', ['create', '--name', 'X', '--email', 'x@x.example'], 'short'],
    ['already in use', ['create', '--name', 'X', '--email', email], password],
    ['merchant not found', ['keys', '--merchant', nowhere, '--mode', 'test'], ''],
    ['merchant not found', ['keys', '--merchant', "'; drop table users", '--mode', 'test'], ''],
    ['mode', ['keys', '--merchant', nowhere, '--mode', 'prod'], ''],
    ['user not found', ['find', '--email', 'nobody@x.example'], ''],
  ])('a fault gives exit code 1 and one sentence, %s: merchants %j', async (text, args, input) => {
    const { code, out, err } = await cli(args, input);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err.toLowerCase()).toMatch(new RegExp(text === 'e-mail' ? 'email' : text));
    expect(err).not.toMatch(/\bat .*:\d+/);
  });

  it.each(['{"secret_key": "sk_sentinel"', '"sk_sentinel"', '', '{"secret_key": 7, "other": "sk_sentinel"}'])(
    'credentials that are %j are refused without repeating them',
    async (input) => {
      const { code, err } = await cli(['connect', ...here('--psp', 'gateway_a')], input);
      expect(code).toBe(1);
      expect(err).toMatch(/credentials/);
      expect(err).not.toMatch(/sentinel|\bat .*:\d+/);
    },
  );

  it("another merchant's key is not found", async () => {
    const other = await cli(['create', '--name', 'Other', '--email', 'other@x.example'], password);
    const key = await cli(['key', ...here('--name', 'mine')]);
    const asked = [
      '--merchant',
      other.answer()['merchant_id'] as string,
      '--key',
      key.answer()['id'] as string,
    ];
    const { code, err } = await cli(['revoke-key', ...asked]);
    expect({ code, err }).toEqual({ code: 1, err: 'API key not found\n' });
  });

  it('a database that is away gives exit code 1 and one sentence', async () => {
    const env = { ...environment(), DATABASE_URL: 'postgres://merchant:sentinel@127.0.0.1:1/gp' };
    const { code, err } = await runCli(['find', '--email', email], env);
    expect({ code, err }).toEqual({ code: 1, err: 'the service is not available at the moment\n' });
  });

  it('a command ends when the file with the authority of the database is not there', async () => {
    const { DATABASE_URL: url } = environment();
    const env = { ...environment(), DATABASE_URL: `${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.crt` };
    const { code, err } = await runCli(['find', '--email', email], env);
    expect([code, err]).toEqual([1, expect.stringContaining('/nowhere/ca.crt')]);
  });
});

it('without settings a command acts on the stack that runs on this machine, with its key, and prints none of its secrets', async () => {
  const { OPERATOR_KEY: operator_key, ...merchants_settings } = environment();
  const folder = await mkdtemp(join(tmpdir(), 'group-payments-stack-'));
  const write = (stack: object) => writeFile(join(folder, 'stack.json'), JSON.stringify(stack));
  const find = (env: Record<string, string> = {}) =>
    runCli(['merchants', 'find', '--email', email], { GP_DATA_DIR: folder, ...env });
  await write({ nats: nats.url, operator_key, merchants_settings });
  const done = await find();
  await write({ nats: nats.url, operator_key });
  const older = await find();
  await writeFile(join(folder, 'stack.json'), '{"nats": "sentinel');
  const damaged = await find();
  await rm(folder, { recursive: true });
  const absent = await find();
  const half = await find({ NATS_URL: nats.url });
  expect({ code: done.code, out: done.out, err: done.err }).toEqual({
    code: 0,
    out: `merchant_id: ${merchant}\nmerchant_name: Casa Lola\nemail: ${email}\nrole: owner\n`,
    err: '',
  });
  expect([older.code, older.err]).toEqual([
    2,
    expect.stringMatching(/^the running stack is of an older release/),
  ]);
  expect([damaged.code, damaged.err]).toEqual([
    2,
    `${join(folder, 'stack.json')} is damaged: stop the stack and start it again\n`,
  ]);
  expect([absent.code, absent.err]).toEqual([
    2,
    `DATABASE_URL, NATS_URL, API_KEY_PEPPER are not set, and ${join(folder, 'stack.json')} is not there: is a stack running?\n`,
  ]);
  expect([half.code, half.err]).toEqual([
    78,
    expect.stringMatching(/DATABASE_URL is required[^]*API_KEY_PEPPER/),
  ]);
});

it('a wrong configuration gives exit code 78, names every wrong setting and repeats none', async () => {
  const env = { DATABASE_URL: 'mysql://sentinel', API_KEY_PEPPER: 'sentinel'.repeat(5) };
  const { code, err } = await runCli(['find', '--email', email], env);
  expect(code).toBe(78);
  expect(err).toMatch(/DATABASE_URL[^]*NATS_URL/);
  const short = await runCli(['find', '--email', email], {
    ...environment(),
    API_KEY_PEPPER: 'x'.repeat(40),
  });
  expect([short.code, short.err]).toEqual([
    78,
    expect.stringContaining('API_KEY_PEPPER must be at least 32 bytes'),
  ]);
  expect(err + short.err).not.toContain('sentinel');
});
