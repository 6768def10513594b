import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '@gp/testing';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { root, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: [] });
  stack = shared.stack;
});
afterAll(() => shared?.close());

async function run(task: string, env: Readonly<Record<string, string>>) {
  const { child, ended } = runProgram(join(root, `services/installation/src/${task}.ts`), [], env);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { ...(await ended), said };
}

describe('an installation that was just made', () => {
  it('a demo group can be paid from the sign-up of its merchant on', async () => {
    const addresses = { API_URL: stack.api, DASHBOARD_URL: stack.dashboard, SANDBOX_URL: stack.sandbox };
    expect(await run('demo-group', addresses)).toEqual({
      code: 0,
      signal: null,
      said: expect.stringMatching(/^group payment \S+ is paid; its merchant signs in as \S+ with \S+\n$/),
    });
  });

  it('the smoke test pays a group without a key, from the sign-up of its own merchant on, also under another name of the dashboard', async () => {
    // In a cluster the test reaches the dashboard under the name of its Service.
    const dashboard = stack.dashboard.replace('127.0.0.1', 'localhost');
    expect(dashboard).not.toBe(stack.dashboard);
    const services = {
      'api-gateway': stack.api,
      checkout: stack.checkout,
      'merchant-dashboard': dashboard,
      'psp-sandbox': stack.sandbox,
    };
    const list = Object.entries(services).map(([name, address]) => `${name}=${address}`);
    expect(await run('smoke-test', { SERVICES: list.join(','), SIGN_UP: 'true' })).toEqual({
      code: 0,
      signal: null,
      said: expect.stringMatching(/^4 services answer, and group payment \S+ is paid\n$/),
    });
  });
});
