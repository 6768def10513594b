import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { listGuideBlocks } from '../support/guide-blocks.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';

let folder: string;
let shared: SharedStack;
let endpoint: Endpoint;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-payment-'));
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  endpoint = await openEndpoint();
}, 240_000);
afterAll(async () => {
  await endpoint?.close();
  await shared?.close();
  await rm(folder, { recursive: true, force: true });
});

it('the commands of "Your first payment in five minutes" create, pay and refund a bill, and webhooks tell of it', async () => {
  const { stack } = shared;
  const document = (await (await fetch(`${stack.api}/openapi.json`)).json()) as {
    info: { description: string };
  };
  const blocks = listGuideBlocks(document.info.description, 'Your first payment in five minutes');
  expect(blocks.map(({ language }) => language)).toEqual(['bash', 'bash', 'bash', 'bash', 'bash']);
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-eu', '-c', blocks.map(({ text }) => text).join('\necho\n')],
    {
      cwd: folder,
      env: {
        ...process.env,
        GROUP_PAYMENTS_KEY: findMerchant(stack, 'gateway_b').test_key,
        WEBHOOK_URL: endpoint.url,
      },
      timeout: 60_000,
    },
  );
  const [bill, hook, payment, refund] = stdout.split('\n').filter((line) => line !== '');
  const { group_payment, payment_slots } = JSON.parse(bill ?? '') as {
    group_payment: { id: string };
    payment_slots: { id: string }[];
  };
  expect(payment_slots).toHaveLength(3);
  expect(JSON.parse(hook ?? '')).toMatchObject({ url: endpoint.url, secret: expect.any(String) as unknown });
  expect(JSON.parse(payment ?? '')).toMatchObject({ customer_email: 'ana@example.com' });
  expect(JSON.parse(refund ?? '')).toMatchObject({ failed: [], group_state: 'refunded' });
  for (const type of ['group_payment.paid', 'group_payment.refunded'])
    await endpoint.accepted(type, group_payment.id);
}, 120_000);
