import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findTool } from '@gp/testing';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { root } from '../support/stack.ts';
import type { Result, Task } from './programs/pay-group.ts';
import { expectPaid, prepareTask } from './task.ts';

const run = promisify(execFile);
const programs = join(import.meta.dirname, 'programs');

/** A client in another language, built into a folder. */
type Client = {
  /** Programs of .configs/tools.sh. */
  readonly tools: readonly string[];
  /** Runs the client's own tests; resolves with what they print. */
  test(tool: string, built: string): Promise<string>;
  /** Runs the program that pays a group, in a project that depends on the client; resolves with what it prints. */
  pay(tool: string, built: string, env: NodeJS.ProcessEnv): Promise<string>;
};

const python: Client = {
  tools: ['python-client', 'openapi-python-client'],
  async test(tool, built) {
    const { stderr } = await run(tool, ['-m', 'unittest', 'discover', '-v', 'tests'], { cwd: built });
    return stderr;
  },
  async pay(tool, built, env) {
    const installed = join(built, '../installed');
    const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--disable-pip-version-check'];
    await run(tool, ['-m', 'pip', 'install', '--quiet', ...offline, '--target', installed, built]);
    // The examples are beside the package, not in it.
    for (const example of ['example.py', 'example_more.py'])
      copyFileSync(join(built, example), join(installed, example));
    const options = { env: { ...env, PYTHONPATH: installed } };
    return (await run(tool, [join(programs, 'pay_group.py')], options)).stdout;
  },
};

const go: Client = {
  tools: ['go', 'oapi-codegen'],
  async test(tool, built) {
    await run(tool, ['vet', './...'], { cwd: built });
    return (await run(tool, ['test', '-v', './...'], { cwd: built })).stdout;
  },
  async pay(tool, built, env) {
    const shop = join(built, '../shop');
    mkdirSync(shop);
    const client = 'github.com/group-payments/client-go';
    const lines = [
      'module example.com/shop',
      'go 1.24.0',
      `require ${client} v1.0.0`,
      `replace ${client} => ${built}`,
    ];
    writeFileSync(join(shop, 'go.mod'), `${lines.join('\n\n')}\n`);
    copyFileSync(join(programs, 'pay_group.go'), join(shop, 'main.go'));
    await run(tool, ['mod', 'tidy'], { cwd: shop });
    return (await run(tool, ['run', '.'], { cwd: shop, env })).stdout;
  },
};

const clients = { python, go };
const possible = (Object.keys(clients) as (keyof typeof clients)[]).flatMap((language) => {
  const found = clients[language].tools.map((name) => findTool(name, `the client for ${language}`));
  const [tool] = found;
  return tool === undefined || found.includes(undefined) ? [] : [{ language, tool }];
});

let folder: string;
let shared: SharedStack;
let task: Task;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clients-'));
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  task = await prepareTask(shared.stack);
}, 240_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await shared?.close();
});

it.each(possible)(
  'the client for $language verifies what the platform signed, and pays a group',
  async ({ language, tool }) => {
    const built = join(folder, language, 'built');
    await run(process.execPath, [join(root, 'libs/clients/package.ts'), language, built], {
      maxBuffer: 2 ** 26,
    });
    const { test, pay } = clients[language];
    expect(await test(tool, built)).toMatch(/\bok\b|\bPASS\b/);
    const printed = await pay(tool, built, { ...process.env, TASK: JSON.stringify(task) });
    expectPaid(JSON.parse(printed) as Result);
  },
  400_000,
);
