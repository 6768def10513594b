import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findTool } from '@gp/testing';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, root } from '../support/stack.ts';

const { version } = JSON.parse(readFileSync(join(root, 'libs/cli/package.json'), 'utf8')) as {
  version: string;
};
const npm = join(root, 'node_modules/npm/bin/npm-cli.js');
const runtimes = [
  { runtime: 'this Node', node: process.execPath },
  { runtime: 'Node 20', node: findTool('node20', 'the command line under Node 20') },
].flatMap(({ runtime, node }) => (node === undefined ? [] : [{ runtime, node }]));

let folder: string;
let shared: SharedStack;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-package-'));
  const built = join(folder, 'built');
  execFileSync(process.execPath, [join(root, 'libs/cli/package.ts'), built], { stdio: 'pipe' });
  const pack = [npm, 'pack', built, '--pack-destination', folder];
  execFileSync(process.execPath, pack, { stdio: 'pipe' });
  shared = await openSharedStack({ merchants: ['gateway_b'] });
}, 240_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await shared?.close();
});

it.each(runtimes)(
  'the packed command line, installed into an empty folder, pays a group by npx under $runtime',
  async ({ runtime, node }) => {
    const project = join(folder, runtime.replaceAll(' ', '-'));
    mkdirSync(project);
    const tarball = join(folder, `group-payments-cli-${version}.tgz`);
    const install = [npm, 'install', tarball, '--offline', '--no-audit', '--no-fund'];
    execFileSync(process.execPath, install, { cwd: project, stdio: 'pipe' });
    const npx = join(root, 'node_modules/npm/bin/npx-cli.js');
    const { stack } = shared;
    const { test_key } = findMerchant(stack, 'gateway_b');
    const env = {
      ...process.env,
      PATH: `${dirname(node)}:${process.env['PATH'] ?? ''}`,
      XDG_CONFIG_HOME: join(project, 'config'),
    };
    const gp = async (...args: string[]): Promise<string> =>
      (await promisify(execFile)(node, [npx, '--no', '--', 'gp', ...args], { cwd: project, env })).stdout;

    expect(await gp('--version')).toBe(`${version}\n`);
    const login = ['login', '--url', stack.api];
    await promisify(execFile)(node, [npx, '--no', '--', 'gp', ...login], {
      cwd: project,
      env: { ...env, GROUP_PAYMENTS_KEY: test_key },
    });
    expect(statSync(join(project, 'config/group-payments/profiles.json')).mode & 0o777).toBe(0o600);
    const { group_payment } = JSON.parse(
      await gp('payments', 'create', '--amount', '20', '--slots', '2', '--json'),
    ) as {
      group_payment: { id: string };
    };
    expect(await gp('payments', 'pay', group_payment.id)).toContain(', paid\n');
    expect(await gp('trigger', 'group_payment.cancelled')).toContain('group_payment.cancelled');
    const refused = await gp('payments', 'cancel', group_payment.id).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('409') as unknown });
  },
  120_000,
);
