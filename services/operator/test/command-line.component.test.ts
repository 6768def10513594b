import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { notFound } from '@gp/errors';
import { createOperator, freePort, playOperators, testNats, type OwnServer } from '@gp/testing';
import { runOperator } from './run-operator.ts';

const ann = createOperator('ann');
const group = '01a1fccf-ad43-7217-9b27-a78807b9280b';
let nats: OwnServer;
let others: Bus;
const heard: unknown[] = [];

const task: contracts.OperatorTask = {
  key: 'void_unconfirmed:1',
  code: 'void_unconfirmed',
  merchant_id: 'm1',
  mode: 'test',
  group_id: group,
  intent_id: null,
  details: {},
  raised_at: '2030-01-01T00:00:00.000Z',
  times: 1,
  resolved_at: null,
  resolved_by: null,
  resolution: null,
};

beforeAll(async () => {
  nats = await testNats();
  others = await openBus({ servers: nats.url, name: 'others' });
  playOperators(others, ann);
  others.serve(contracts.listTasks('ledger'), (request) => {
    heard.push(request);
    return Promise.resolve({ tasks: [task] });
  });
  others.serve(contracts.resolveTask('ledger'), (request) => {
    heard.push(request);
    return Promise.reject(notFound('open task'));
  });
});
afterAll(async () => {
  await others?.close();
  await nats?.stop();
});

const run = (args: readonly string[], env: Record<string, string> = { NATS_URL: nats.url }) =>
  runOperator(args, { OPERATOR_KEY: ann.seed, ...env });

describe('exit 0', () => {
  it('a list names the service of each item, and the services that did not answer', async () => {
    const { code, out } = await run(['tasks', 'list', '--all', '--limit', '7', '--json']);
    expect(code).toBe(0);
    const { tasks, unanswered } = JSON.parse(out) as { tasks: unknown[]; unanswered: string[] };
    expect(tasks).toEqual([{ service: 'ledger', ...task }]);
    expect(unanswered).toEqual(contracts.OPERATED.filter((service) => service !== 'ledger'));
    expect(heard.at(-1)).toEqual({ resolved: true, limit: 7 });
  });

  it('an export of a gateway’s books is looked up in parts, and its unknown payments are listed together', async () => {
    const parts: string[][] = [];
    const answering = others.serve(contracts.findUnknownPayments('gateway_b'), ({ psp_references }) => {
      parts.push(psp_references);
      return Promise.resolve({ known: psp_references.length - 1, strays: psp_references.slice(-1) });
    });
    const folder = await mkdtemp(join(tmpdir(), 'books-'));
    const file = join(folder, 'books.txt');
    const references = Array.from({ length: contracts.MAX_REFERENCES + 2 }, (_, at) => `ref${at}`);
    await writeFile(file, `\n${references.join('\r\n')}\n`);
    const scope = ['--merchant', 'm1', '--mode', 'test', '--psp', 'gateway_b'];
    const { code, out } = await run(['books', 'strays', '--file', file, ...scope, '--json']);
    await Promise.all([answering.close(), rm(folder, { recursive: true })]);
    expect(code).toBe(0);
    // A signed request is sent once.
    expect(parts.flat()).toEqual(references);
    expect(JSON.parse(out)).toEqual({
      known: references.length - 2,
      strays: [references[contracts.MAX_REFERENCES - 1], references.at(-1)],
    });
  });

  it.each([
    ['before', ['--json'], []],
    ['after', [], ['--json']],
  ] as const)('common options %s the command count alike', async (_, before, after) => {
    const folder = await mkdtemp(join(tmpdir(), 'operator-key-'));
    const file = join(folder, 'ann.key');
    await writeFile(file, ann.seed, { mode: 0o600 });
    const key = { before: ['--operator-key', file], after: [`--operator-key=${file}`] };
    const list = ['tasks', 'list', '--service', 'ledger'];
    const env = { NATS_URL: nats.url };
    const first = await runOperator([...before, ...key.before, ...list, ...after], env);
    const second = await runOperator([...key.after, ...before, ...list, ...after], env);
    await rm(folder, { recursive: true });
    for (const { code, err, out } of [first, second]) {
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ tasks: [{ service: 'ledger' }] });
    }
  });

  it('the output without --json is readable text', async () => {
    const { code, out } = await run(['tasks', 'list', '--service', 'ledger']);
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual(expect.arrayContaining(['tasks:', '  - service: ledger']));
    expect(out).toContain('code: void_unconfirmed');
    expect(out).not.toContain('resolved_by');
  });
});

describe('help', () => {
  const nowhere = { NATS_URL: 'nats://127.0.0.1:1' };

  it.each([[['help']], [['--help']], [['-h']]])('%j lists every command and needs no bus', async (args) => {
    const { code, out, err } = await run(args, nowhere);
    expect([code, err]).toEqual([0, '']);
    for (const command of ['tasks list', 'group find', 'captures give-up', 'merchants VERB'])
      expect(out).toContain(`  ${command}`);
  });

  it.each([
    [['help', 'payers', 'forget']],
    [['payers', 'forget', '--email', 'a@b.example', '--help']],
    [['--json', 'help', 'payers', 'forget']],
    [['--help', 'payers', 'forget']],
  ])('%j explains one command and each of its options', async (args) => {
    const { code, out } = await run(args, nowhere);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('payers forget --merchant ID --mode test|live --email ADDRESS');
    expect(out).toMatch(/^ {2}--mode +test or live$/m);
    expect(out).not.toContain('group');
  });

  it('help on a noun lists its commands only', async () => {
    const { code, out } = await run(['help', 'dead-letters'], nowhere);
    expect(code).toBe(0);
    expect(out.match(/^ {2}\S+ \S+/gm)).toEqual(['  dead-letters list', '  dead-letters replay']);
  });

  it('the word help as a value of an option is a value', async () => {
    const note = ['--note', 'help'];
    expect(await run(['tasks', 'resolve', '--service', 'ledger', '--task', 'x:1', ...note])).toMatchObject({
      code: 1,
    });
    expect(heard.at(-1)).toEqual({ key: 'x:1', note: 'help' });
  });
});

describe('exit 1', () => {
  it('a refusal of the platform is printed with its code', async () => {
    const note = ['--note', 'seen to'];
    const { code, err } = await run(['tasks', 'resolve', '--service', 'ledger', '--task', 'x:1', ...note]);
    expect([code, err]).toEqual([1, 'not_found: open task not found\n']);
    expect(heard.at(-1)).toEqual({ key: 'x:1', note: 'seen to' });
  });

  it('a command waits for a bus that answers a few seconds late', async () => {
    const late = await testNats();
    await late.down();
    const running = run(['group', 'show', '--group', group], { NATS_URL: late.url });
    await delay(2_500);
    await late.up();
    const bus = await openBus({ servers: late.url, name: 'ledger' });
    playOperators(bus, ann);
    const served = bus.serve(contracts.inspectGroup, () => Promise.reject(notFound('group payment')));
    const { err } = await running;
    await served.close();
    await bus.close();
    await late.stop();
    expect(err).toBe('not_found: group payment not found\n');
  });

  it('a platform that cannot be reached is reported', async () => {
    const env = { NATS_URL: `nats://127.0.0.1:${await freePort()}` };
    const { code, err } = await run(['group', 'show', '--group', group], env);
    expect(code).toBe(1);
    expect(err).toMatch(/^service_unavailable: /);
  });
});

describe('exit 2', () => {
  it('a line without a command shows all commands', async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('group cancel --group ID');
  });

  it.each([
    [['grup', 'cancle'], '"grup cancle" is not a command. Did you mean "group cancel"?'],
    [['task', 'list', '--all'], '"task list" is not a command. Did you mean "tasks list"?'],
    [
      ['group', 'investigate'],
      '"group investigate" is not a command. There are: group show, group find, group cancel.',
    ],
    [['group'], '"group" is not a command. There are: group show, group find, group cancel.'],
    [['merchant', 'find'], '"merchant find" is not a command. Did you mean "merchants"?'],
    [
      ['merchants', 'find'],
      '"merchants find" is not a command. It is one of the dashboard’s program: npm run operator -- help merchants',
    ],
    [['constructor', ''], '"constructor " is not a command. "help" lists all commands.'],
    [['help', 'group', 'cancle'], '"group cancle" is not a command. Did you mean "group cancel"?'],
  ])('the unknown command of %j is named, with what may be meant', async (args, message) => {
    expect(await run(args)).toEqual({ code: 2, out: '', err: `${message}\n` });
  });

  it.each([
    [['group', 'cancel'], '--group missing: group cancel --group ID'],
    [['group', 'cancel', '--group', group, '--as', 'ann'], "Unknown option '--as'"],
    [['keys', 'add', '--name', 'ann', '--role', 'king'], '--role must be one of read, act, admin'],
    [['keys', 'revoke', '--key', ann.person.key.slice(1)], '--key must be the public half of a key'],
    [['group', 'show', '--group', '17'], '--group must be an id'],
    [['tasks', 'list', '--service', 'bakery'], '--service must be one of api_gateway'],
    [['tasks', 'list', '--limit', '201'], '--limit must be at most 200'],
    [['tasks', 'list', '--colour', 'red'], "Unknown option '--colour'"],
    [['group', 'show', group], 'This command does not take positional arguments: group show --group ID'],
    [['--colour', 'red', 'tasks', 'list'], '--colour cannot stand before a command: only --json'],
    [['--group', group, 'group', 'show'], '--group cannot stand before a command: only --json'],
    [['--json=yes', 'tasks', 'list'], "Option '--json' does not take an argument"],
    [['--json', 'tasks'], '"tasks" is not a command. There are: tasks list, tasks resolve.'],
    [
      ['outbox', 'republish', '--service', 'ledger', '--from', 'monday', '--to', 'friday'],
      '--from must be an instant',
    ],
  ])('the command line %j is refused with the fault', async (args, message) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('without a named server and a running stack the command ends with an error', async () => {
    const { code, err } = await run(['tasks', 'list'], { GP_DATA_DIR: '/nowhere' });
    expect(code).toBe(2);
    expect(err).toContain('is a stack running?');
  });
});

it('impossible settings are refused with exit code 78', async () => {
  expect((await run(['tasks', 'list'], { NATS_URL: 'http://x' })).code).toBe(78);
});

it.each([
  [['merchants', 'create', '--name', 'Casa Lola'], 2, /^--email missing: merchants create /],
  [['--json', '--operator-key', 'help', 'merchants', 'crete'], 2, /^"merchants crete" is not a command/],
  [['help', 'merchants', 'create'], 0, /^merchants create --name NAME/],
  [['--operator-key', 'merchants', 'tasks', 'resolve'], 2, /^--service, --task, --note missing: tasks/],
  [['tasks', 'resolve', '--note', 'merchants'], 2, /^--service, --task missing: tasks resolve /],
])(
  'npm run operator passes commands on merchants, and no others, to the dashboard’s program: %j',
  (line, code, text) => {
    const project = fileURLToPath(new URL('../../..', import.meta.url));
    const args = ['.configs/run.sh', 'operator', ...line];
    const { status, stdout, stderr } = spawnSync('sh', args, { cwd: project, encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([code, expect.stringMatching(text)]);
  },
);
