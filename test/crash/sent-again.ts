import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import { sendUntilAnswered, type Json } from '../support/api.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { findMerchant } from '../support/stack.ts';

/**
 * A new endpoint has every later event recovered and its last delivery resent. `heard` waits for the expected deliveries.
 */
export async function sentAgain(
  { stack }: OwnStack,
  o: { gateway: string; since: Date; heard: (receiver: Receiver) => Promise<void> },
): Promise<void> {
  const { test_key } = findMerchant(stack, o.gateway);
  const ask = async (method: string, path: string, body?: Json): Promise<Json> => {
    const authorization = `Bearer ${test_key}`;
    return (await sendUntilAnswered(method, `${stack.api}/v1/webhooks${path}`, body, { authorization })).body;
  };
  const receiver = await openReceiver();
  const { id, secret } = (await ask('POST', '', { url: receiver.url })) as { id: string; secret: string };
  receiver.trust(secret);
  // The same period in every request: a repetition must be the same recovery.
  await ask('POST', `/${id}/recover`, { since: o.since.toISOString(), until: new Date().toISOString() });
  await o.heard(receiver);
  const latest = async () => {
    const { deliveries } = (await ask('GET', `/${id}/deliveries?limit=1`)) as {
      deliveries: { id: string; state: string; resend_pending: boolean; attempt_count: number }[];
    };
    if (!deliveries[0]) throw new Error('nothing was delivered');
    return deliveries[0];
  };
  await until(async () => (await latest()).state === 'delivered');
  const { id: delivery, attempt_count: before } = await latest();
  await ask('POST', `/${id}/deliveries/${delivery}/resend`);
  await until(async () => {
    const { attempt_count, resend_pending } = await latest();
    return attempt_count > before && !resend_pending;
  });
  await ask('DELETE', `/${id}`);
  await receiver.close();
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; !(await isSo()); await delay(100))
    if (Date.now() > giveUpAt) throw new TimeoutError('what was to be sent again was not');
}
