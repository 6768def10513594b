import { openApi, newGroup, payer, paySlot } from '../../support/journey.ts';
import { openReceiver } from '../../support/receiver.ts';
import { round, type Figure } from '../ratios.ts';
import type { Bench } from '../bench.ts';

const GROUPS = 40;

/** P7: from the commit of an event to its arrival at the merchant, read from the event's own timestamp. */
export async function measureWebhooks({ stack, merchant, say }: Bench): Promise<Figure[]> {
  const api = openApi(stack, merchant);
  const receiver = await openReceiver();
  const delays: number[] = [];
  receiver.onEvent((event) => {
    const { created } = event as unknown as { created: string };
    delays.push(Date.now() - Date.parse(created));
  });
  const endpoint = await api.createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
  for (let index = 0; index < GROUPS; index++) {
    const group = await newGroup(api, 1);
    await paySlot(stack, api, group, 0, payer(`bench${index}`));
    await api.becomes(group.group_payment.id, ['paid']);
  }
  // preauthorised, captured and paid for each group
  for (const giveUpAt = Date.now() + 20_000; delays.length < GROUPS * 3 && Date.now() < giveUpAt;)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await receiver.close();
  say(`${delays.length} deliveries, ${receiver.refused.length} refused`);
  delays.sort((a, b) => a - b);
  const p50 = delays[Math.floor(delays.length * 0.5)] ?? NaN;
  const p99 = delays[Math.floor(delays.length * 0.99)] ?? NaN;
  return [
    {
      id: 'P7',
      what: 'event committed → webhook received',
      value: `${round(p50, 0)} ms p50, ${round(p99, 0)} ms p99`,
      goal: 'p50 ≤12 ms, p99 ≤40 ms',
      reached: p50 <= 12 && p99 <= 40,
      detail: { deliveries: delays.length, owed: GROUPS * 3 },
    },
  ];
}
