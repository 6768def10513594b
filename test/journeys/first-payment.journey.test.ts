import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { listGuideBlocks } from '../support/guide-blocks.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import type { Merchant } from '../support/stack.ts';

/** Debian's `sh` is dash. */
const SHELLS = ['sh', 'bash'];

let folder: string;
let shared: SharedStack;
let endpoint: Endpoint;
let guides: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-payment-'));
  // A merchant for each shell: keys of repetition are a merchant's.
  shared = await openSharedStack({ merchants: SHELLS.map(() => 'gateway_b' as const) });
  endpoint = await openEndpoint();
  const answer = await fetch(`${shared.stack.api}/openapi.json`);
  guides = ((await answer.json()) as { info: { description: string } }).info.description;
}, 240_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
  await rm(folder, { recursive: true, force: true });
});

const findMerchantOf = (shell: string): Merchant => shared.stack.merchants[SHELLS.indexOf(shell)]!;
const findCommands = (heading: string, word = '') =>
  listGuideBlocks(guides, heading).filter(
    ({ language, text }) => /^(ba)?sh$/.test(language) && text.includes(word),
  );
const buildEnv = (shell: string, more: Record<string, string> = {}) => ({
  ...process.env,
  GROUP_PAYMENTS_KEY: findMerchantOf(shell).test_key,
  ...more,
});

/** Runs commands of a guide as they stand there; resolves with the lines they print. */
async function runCommands(shell: string, text: string, more: Record<string, string>): Promise<string[]> {
  const options = { cwd: folder, env: buildEnv(shell, more), timeout: 60_000 };
  const { stdout } = await promisify(execFile)(shell, ['-eu', '-c', text], options);
  return stdout.split('\n').filter((line) => line !== '');
}

describe.each(SHELLS)('commands of the guides in %s', (shell) => {
  it('the commands of "Your first payment in five minutes" create, pay and refund a bill, and webhooks tell of it', async () => {
    const blocks = findCommands('Your first payment in five minutes');
    expect(blocks).toHaveLength(5);
    const text = blocks.map((block) => block.text).join('\necho\n');
    const [bill, hook, payment, refund] = await runCommands(shell, text, { WEBHOOK_URL: endpoint.url });
    const { group_payment, payment_slots } = JSON.parse(bill ?? '') as {
      group_payment: { id: string; merchant_id: string };
      payment_slots: { id: string }[];
    };
    expect(group_payment.merchant_id).toBe(findMerchantOf(shell).merchant_id);
    expect(payment_slots).toHaveLength(3);
    expect(JSON.parse(hook ?? '')).toMatchObject({
      url: endpoint.url,
      secret: expect.any(String) as unknown,
    });
    expect(JSON.parse(payment ?? '')).toMatchObject({ customer_email: 'ana@example.com' });
    expect(JSON.parse(refund ?? '')).toMatchObject({ failed: [], group_state: 'refunded' });
    for (const type of ['group_payment.paid', 'group_payment.refunded'])
      await endpoint.accepted(type, group_payment.id);
  }, 120_000);

  it('the command of "Testing" pays a bill with 3-D Secure (Q73)', async () => {
    const { group_payment } = await newGroup(openApi(shared.stack, findMerchantOf(shell)), 2);
    const [block, ...more] = findCommands('Testing');
    expect(more).toEqual([]);
    const [payment] = await runCommands(shell, block!.text, { GROUP_PAYMENT_ID: group_payment.id });
    expect(JSON.parse(payment ?? '')).toMatchObject({ group_payment_id: group_payment.id, failure: null });
  });

  it('the command of "Webhooks" prints events as they arrive', async () => {
    const [block] = findCommands('Webhooks', 'events/stream');
    const child = spawn(shell, ['-euc', `exec ${block!.text}`], {
      env: buildEnv(shell),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const api = openApi(shared.stack, findMerchantOf(shell));
    let cancelled: string | undefined;
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (cancelled === undefined && printed.includes('event: ready')) {
        cancelled = (await newGroup(api, 1)).group_payment.id;
        await api.client.cancelGroupPayment(cancelled);
      }
      if (/^data: .*"group_payment\.cancelled"/m.test(printed)) break;
    }
    child.kill();
    await ended;
    expect(printed).toContain(cancelled ?? 'event: ready');
  }, 60_000);
});
