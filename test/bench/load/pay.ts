import { setTimeout as delay } from 'node:timers/promises';
import type { Group } from '../../support/api.ts';
import { newGroup, openApi, payer, paySlot } from '../../support/journey.ts';
import { openReceiver } from '../../support/receiver.ts';
import type { Merchant, StackFile } from '../../support/stack.ts';

/** Merchants whose groups are paid, and what their webhook endpoints heard. */
export type Tills = {
  /** Pays a new group of one slot of a merchant, in turn; resolves with its group when the webhook of `paid` came. */
  pay(index: number): Promise<Group>;
  /** Groups whose webhook of `paid` came so far. */
  readonly paid: () => number;
  close(): Promise<void>;
};

/** Opens a webhook endpoint for each merchant. */
export async function openTills(stack: StackFile, merchants: readonly Merchant[]): Promise<Tills> {
  const waiting = new Map<string, () => void>();
  let paid = 0;
  const tills = await Promise.all(
    merchants.map(async (merchant) => {
      const receiver = await openReceiver();
      const api = openApi(stack, merchant);
      receiver.trust((await api.createWebhook(receiver.url)).secret);
      receiver.onEvent(({ type, data }) => {
        if (type !== 'group_payment.paid') return;
        paid += 1;
        waiting.get(String(data['group_payment_id']))?.();
      });
      return { api, receiver };
    }),
  );
  return {
    paid: () => paid,
    async pay(index) {
      const till = tills[index % tills.length];
      if (!till) throw new Error('no merchant takes payments');
      const group = await newGroup(till.api, 1);
      const { id } = group.group_payment;
      const isPaid = new Promise<void>((resolve) => waiting.set(id, resolve));
      await paySlot(stack, till.api, group, 0, payer(`till${index}`));
      await isPaid;
      waiting.delete(id);
      return group;
    },
    async close() {
      for (const { receiver } of tills) await receiver.close();
    },
  };
}

const WARM_UP_MS = 4_000;

/** Payments a second of each round, by payers who pay one group after the other and never pause. */
export async function measureRates(
  tills: Tills,
  o: { payers: number; rounds: number; seconds: number; say: (line: string) => void },
): Promise<number[]> {
  const rates: number[] = [];
  let isOver = false;
  let next = 0;
  const payOnAndOn = async (): Promise<void> => {
    while (!isOver) await tills.pay(next++);
  };
  const measure = async (): Promise<void> => {
    await delay(WARM_UP_MS);
    for (let turn = 0; turn < o.rounds; turn++) {
      const [from, at] = [tills.paid(), performance.now()];
      await delay(o.seconds * 1_000);
      rates.push((tills.paid() - from) / ((performance.now() - at) / 1_000));
      o.say(`round ${turn + 1}: ${(rates.at(-1) ?? NaN).toFixed(1)} payments/s`);
    }
  };
  await Promise.all([
    measure().finally(() => void (isOver = true)),
    ...Array.from({ length: o.payers }, payOnAndOn),
  ]);
  return rates;
}
