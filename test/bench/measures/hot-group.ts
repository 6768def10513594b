import type { Group, MerchantApi, Pay } from '../../support/api.ts';
import { newGroup, openApi, payer } from '../../support/journey.ts';
import { authorise } from '../../support/payer.ts';
import type { StackFile } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';

const PAYERS = 30;

/** P10-hot: thirty payers hold and are charged at once, in one group of thirty slots and in thirty groups of one slot. */
export async function measureHotGroup({ stack, merchant, rounds, say }: Bench): Promise<Figure[]> {
  const api = openApi(stack, merchant);
  const [hot, apart]: [number[], number[]] = [[], []];
  // The first pass warms up what the measured ones use.
  for (let turn = 0; turn <= rounds; turn++) {
    const apartMs = await timePayments(stack, api, PAYERS, 1);
    const hotMs = await timePayments(stack, api, 1, PAYERS);
    if (turn === 0) continue;
    apart.push(apartMs);
    hot.push(hotMs);
    say(
      `${PAYERS} payers of one group: ${round(hotMs, 0)} ms, of groups of their own: ${round(apartMs, 0)} ms`,
    );
  }
  const ratio = ratios(apart, hot);
  return [
    {
      id: 'P10-hot',
      what: `${PAYERS} payers at once, card → every group paid: groups of their own / one group`,
      value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}); ${round(computeSpread(apart).median, 0)} and ${round(computeSpread(hot).median, 0)} ms`,
      goal: '≥0.5',
      reached: ratio.median >= 0.5,
      detail: { ratio: round(ratio.median, 3) },
    },
  ];
}

/** From the moment all cards are sent until every group is paid, ms. The payments are prepared before. */
async function timePayments(
  stack: StackFile,
  api: MerchantApi,
  groups: number,
  slots: number,
): Promise<number> {
  const started = await Promise.all(
    Array.from({ length: groups }, async () => startAll(api, await newGroup(api, slots))),
  );
  const startedAt = performance.now();
  await Promise.all(
    started.flatMap(({ id, pays }) =>
      pays.map((pay, index) => authorise(stack, api, id, pay, payer(`hot${index}`))),
    ),
  );
  await Promise.all(started.map(({ id }) => api.becomes(id, ['paid'])));
  return performance.now() - startedAt;
}

async function startAll(api: MerchantApi, group: Group): Promise<{ id: string; pays: Pay[] }> {
  const { id } = group.group_payment;
  const pays: Pay[] = [];
  for (const [index, slot] of group.payment_slots.entries())
    pays.push(await api.pay(id, { customer_email: payer(`hot${index}`).email, slot_ids: [slot.id] }));
  return { id, pays };
}
