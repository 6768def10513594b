import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { inSeconds, newGroup, openApi } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { packClient, type PackedClient } from '../packages/project.ts';
import type { Result, Task } from '../packages/programs/pay-group.ts';
import { expectPaid, prepareTask } from '../packages/task.ts';
import { BROWSER_START_MS, openBrowser, type TestBrowser } from './support.ts';

let shared: SharedStack;
let client: PackedClient;
let browser: TestBrowser;

beforeAll(async () => {
  client = packClient();
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  browser = await openBrowser();
}, BROWSER_START_MS);
afterEach(() => browser.dismiss());
afterAll(async () => {
  await browser?.close();
  client?.remove();
  await shared?.close();
});

it('the packed client, bundled for a browser, pays a group with a session token', async () => {
  const { stack } = shared;
  const prepared = await prepareTask(stack);
  const api = openApi(stack, findMerchant(stack, 'gateway_b'));
  const group = await newGroup(api, 1, { expires_at: inSeconds(3_600) });
  const groupId = group.group_payment.id;
  const { token } = await api.client.createSession(groupId);
  const task: Task = { ...prepared, key: token, groupId };

  // The origin of the hosted page is one that the API answers.
  const visitor = await browser.visit('phone', { bypassCSP: true });
  await visitor.page.goto(group.checkout_url);
  await visitor.page.addScriptTag({ path: await client.openProject('esm').bundle() });
  // The late payment that the program tries is refused.
  visitor.expects(/409/);
  const result = await visitor.page.evaluate(
    (given) =>
      (globalThis as unknown as { program: { payGroup(t: unknown): unknown } }).program.payGroup(given),
    task,
  );
  expectPaid(result as Result);
  expect((await api.findGroup(groupId)).group_payment.state).toBe('paid');
});
