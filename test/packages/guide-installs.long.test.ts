import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openApi as readDocument } from '@gp/reference';
import { findTool } from '@gp/testing';
import { listGuideBlocks } from '../support/guide-blocks.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, root } from '../support/stack.ts';

const HEADING = 'Clients and the command line';

/** A way to install what the guide "Clients and the command line" names, and what shows that it is installed. */
type Install = {
  /** A word that only its block of commands has. */
  readonly word: string;
  /** Programs of .configs/tools.sh; the first runs what is installed. */
  readonly tools: readonly string[];
  /** Files of the reader's own project. */
  readonly files: Readonly<Record<string, string>>;
  /** What the reader's machine sets, and what lets package managers work without a network. */
  env(project: string, tool: string): Record<string, string>;
  /** Commands that the reader runs next, in the project. */
  use(tool: string): string;
};

const withPath = (...folders: string[]) => ({
  PATH: [...folders, process.env['PATH'] ?? ''].join(delimiter),
});

const installs: Readonly<Record<string, Install>> = {
  TypeScript: {
    word: '-- typescript',
    tools: [],
    files: { 'package.json': '{ "name": "your-project", "private": true, "type": "module" }\n' },
    env: () => ({ npm_config_offline: 'true' }),
    use: () =>
      `node -e "import('@group-payments/client').then((client) => console.log(typeof client.openClient))"`,
  },
  Python: {
    word: '-- python',
    tools: ['python-client', 'openapi-python-client'],
    files: {},
    env: (project, tool) => ({
      ...withPath(dirname(tool)),
      PIP_NO_INDEX: '1',
      PIP_NO_DEPS: '1',
      PIP_NO_BUILD_ISOLATION: '0',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_TARGET: join(project, 'installed'),
      PYTHONPATH: join(project, 'installed'),
    }),
    use: (tool) => `'${tool}' -c 'from group_payments import AuthenticatedClient; print("function")'`,
  },
  Go: {
    word: '-- go',
    tools: ['go', 'oapi-codegen'],
    files: { 'go.mod': 'module example.com/your-project\n\ngo 1.24.0\n' },
    env: (_project, tool) => withPath(dirname(tool)),
    use: () => 'go mod tidy && go vet ./... && echo function',
  },
};
const possible = Object.entries(installs).flatMap(([language, install]) => {
  const found = install.tools.map((name) => findTool(name, `the commands of the guide for ${language}`));
  return found.includes(undefined) ? [] : [{ language, install, tool: found[0] ?? '' }];
});

let folder: string;
let shared: SharedStack;
let description: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-installs-'));
  // The guide's paths begin in a checkout that has the project's name.
  symlinkSync(root, join(folder, 'group-payments'));
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  ({ description } = (await readDocument())['info'] as { description: string });
}, 240_000);
afterAll(async () => {
  await shared?.close();
  rmSync(folder, { recursive: true, force: true });
});

const commands = () =>
  listGuideBlocks(description, HEADING)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);

/** Runs commands in a shell that stands in the checkout; resolves with what they print. */
async function runInCheckout(text: string, env: Record<string, string>): Promise<string> {
  const checkout = join(folder, 'group-payments');
  const options = { cwd: checkout, env: { ...process.env, ...env, PWD: checkout }, maxBuffer: 2 ** 26 };
  return (await promisify(execFile)('sh', ['-euc', text], options)).stdout;
}

it('every block of commands of the guide is one that this file runs', () => {
  const words = [...Object.values(installs).map(({ word }) => word), '-- cli'];
  const named = commands().map((text) => words.filter((word) => text.includes(word)));
  expect(named).toEqual(words.map((word) => [word]));
});

it.each(possible)(
  'the commands of the guide install the client for $language into a project beside the checkout',
  async ({ language, install, tool }) => {
    const project = join(folder, 'your-project');
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project);
    for (const [name, text] of Object.entries(install.files)) writeFileSync(join(project, name), text);
    const program = listGuideBlocks(description, HEADING).find((block) => block.language === 'go')?.text;
    if (language === 'Go') writeFileSync(join(project, 'main.go'), program ?? '');
    const text = commands().find((block) => block.includes(install.word)) ?? '';
    const next = `cd '${project}'\n${install.use(tool)}`;
    const printed = await runInCheckout(`${text}\n${next}`, install.env(project, tool));
    expect(printed.trim().split('\n').at(-1)).toBe('function');
  },
  300_000,
);

it('the commands of the guide install the command line, which logs in and makes an event happen', async () => {
  const text = commands().find((block) => block.includes('-- cli')) ?? '';
  const prefix = join(folder, 'global');
  mkdirSync(prefix);
  const printed = await runInCheckout(text, {
    ...withPath(join(prefix, 'bin')),
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    XDG_CONFIG_HOME: join(folder, 'config'),
    GROUP_PAYMENTS_URL: shared.stack.api,
    GROUP_PAYMENTS_KEY: findMerchant(shared.stack, 'gateway_b').test_key,
  });
  expect(printed).toContain('group_payment.paid');
}, 300_000);
