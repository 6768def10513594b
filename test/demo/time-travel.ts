import { setTimeout as delay } from 'node:timers/promises';
import { merchantApi, type MerchantApi } from '../support/api.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { findMerchant } from '../support/stack.ts';
import { tell } from './print.ts';
import { checkBooks, cleo, takeSlot, type Scene } from './scene.ts';

const HOUR = 3_600;
const SENT_IN_ALL = 7;

/**
 * A day of one merchant, by the test clock: a bill expires and its hold is released, and an event that is never
 * acknowledged follows its whole retry schedule. Every other merchant stays in the time of the world, where this one
 * returns in the end.
 */
export async function travelInTime({ stack, receiver }: Scene): Promise<void> {
  tell.chapter('5. A day in seconds: the test clock of another merchant');
  const merchant = findMerchant(stack, 'gateway_a');
  const api = merchantApi(stack.api, merchant.test_key);
  const deaf = await openEndpoint(() => 503);
  const { id: hook } = await api.createWebhook(deaf.url);
  try {
    await dayPasses({ stack, merchant, api, receiver }, deaf);
  } finally {
    await api.resetClock();
    await api.client.deleteWebhook(hook);
    await deaf.close();
  }
  tell.good('the clock shows real time again');
}

async function dayPasses(scene: Scene, deaf: Endpoint): Promise<void> {
  const { api, stack } = scene;
  const group = await api.createGroup({
    group_name: 'Weekend in the hills',
    total_amount: 180,
    currency: 'EUR',
    expires_at: await ahead(api, 23 * HOUR),
    distribution: { type: 'equally', number_of_slots: 2 },
  });
  const { id, merchant_order_id } = group.group_payment;
  tell.good(`${merchant_order_id} is open for 23 hours; its webhook endpoint answers 503 to everything`);
  const pay = await takeSlot(scene, group, 0, cleo);
  await sentTimes(deaf, id, 1);

  const startedAt = Date.now();
  await api.advanceClock(24 * HOUR);
  tell.step(`24 hours went by in ${((Date.now() - startedAt) / 1_000).toFixed(1)} seconds`);
  const { group_payment } = await api.findGroup(id);
  if (group_payment.state !== 'expired') throw new Error(`after a day the bill is ${group_payment.state}`);
  tell.good(`the bill is ${group_payment.state}, its slots are closed`);
  await checkBooks(stack, pay, 'voided');
  await sentTimes(deaf, id, SENT_IN_ALL);
  tell.good(`payment_intent.preauthorised was sent ${SENT_IN_ALL} times, from 1 minute to 10 hours apart`);
}

/** An instant so many seconds ahead of the merchant's own time. */
async function ahead(api: MerchantApi, seconds: number): Promise<string> {
  const { now } = await api.client.getTestClock();
  return new Date(Date.parse(now) + seconds * 1_000).toISOString();
}

/** Waits until the hold of this group was delivered to the endpoint so many times. */
async function sentTimes({ deliveries }: Endpoint, groupId: string, times: number): Promise<void> {
  const isAboutIt = ({ event: { type, data } }: (typeof deliveries)[number]) =>
    type === 'payment_intent.preauthorised' && data['group_payment_id'] === groupId;
  for (const giveUpAt = Date.now() + 30_000; deliveries.filter(isAboutIt).length !== times; await delay(100))
    if (Date.now() > giveUpAt) throw new Error(`the endpoint was told ${deliveries.length} times in all`);
}
