import { setTimeout as delay } from 'node:timers/promises';
import { findManifest } from '@gp/gateway-registry';
import type { Group, Pay } from '../support/api.ts';
import { comeBack } from '../support/forms.ts';
import { answerBank, cards, buildConfirmRequest, payAtBank, postCard } from '../support/payer.ts';
import type { StackFile } from '../support/stack.ts';
import type { Client } from './client.ts';
import type { Random } from './random.ts';
import { count, type ClientRecord } from './record.ts';

/** A group that payers are being sent to. */
export type OpenGroup = { readonly group: Group; readonly client: Client };

export type Crowd = {
  readonly stack: StackFile;
  readonly record: ClientRecord;
  /** Groups that can still be paid, as far as the payers know. */
  readonly open: OpenGroup[];
  readonly isOver: () => boolean;
};

/** One person with a phone: takes slots of one group after the other, and pays, fails, dithers or walks away. */
export async function payer(crowd: Crowd, name: string, random: Random): Promise<void> {
  while (!crowd.isOver()) {
    const target = crowd.open.length > 0 ? random.pick(crowd.open) : undefined;
    if (target) await payOnce(crowd, target, name, random).catch(() => count(crowd.record, 'payer gave up'));
    await delay(random.between(20, 400));
  }
}

async function payOnce(crowd: Crowd, target: OpenGroup, name: string, random: Random): Promise<void> {
  const { group, client } = target;
  const slots = group.payment_slots.map(({ id }) => id);
  const max = group.group_payment.tips?.max_amount;
  const body = {
    customer_email: `${name}@payers.example`,
    ...(random.chance(0.85) && {
      slot_ids: random.some(slots, random.between(1, Math.min(3, slots.length))),
    }),
    ...(max !== undefined && random.chance(0.6) && { tip: random.pick([max, 1]) }),
  };
  const { id } = group.group_payment;
  const { result: pay, refusal } = await client.pay(id, body);
  if (refusal === 'group_not_payable' || refusal === 'group_expired') closed(crowd, target);
  if (!pay || random.chance(0.08)) return;
  await delay(random.between(0, 300));
  if (random.chance(0.1)) {
    await authorise(crowd, target, pay, cards.declined, random);
    // A form is good for one answer: the next try needs another.
    if (findManifest(pay.psp_code).flow === 'redirect') return;
  }
  await authorise(crowd, target, pay, random.chance(0.2) ? cards.authenticated : cards.approved, random);
}

/** Lets the other payers know that nothing is left to do there. */
export function closed(crowd: Crowd, target: OpenGroup): void {
  const place = crowd.open.indexOf(target);
  if (place >= 0) crowd.open.splice(place, 1);
}

/** Does what the gateway of the payment asks a browser to do; what comes of it is not the payer's business. */
async function authorise(
  crowd: Crowd,
  { group, client }: OpenGroup,
  pay: Pay,
  card: string,
  random: Random,
): Promise<void> {
  const { flow } = findManifest(pay.psp_code);
  if (flow === 'server_confirm') {
    const holder = { email: 'holder@payers.example', name: 'A Holder', card };
    await client.confirm(group.group_payment.id, await buildConfirmRequest(crowd.stack, pay, holder));
    return;
  }
  if (flow === 'redirect') return goToBank(crowd, pay, card, random);
  const page = await postCard(crowd.stack, pay, card).catch(() => undefined);
  count(crowd.record, `browser ${page === undefined ? 'done' : 'challenged'}`);
  if (page === undefined || random.chance(0.1)) return;
  await answerBank(page, random.chance(0.9) ? 'authenticated' : 'failed').catch(() => undefined);
}

/** Pays on the bank's pages, with a wrong code now and then, and does not always come back. */
async function goToBank(crowd: Crowd, pay: Pay, card: string, random: Random): Promise<void> {
  // The bank asks for a code at cards of its own.
  const [asked] = findManifest(pay.psp_code).testCards.challenged;
  const known = card === cards.authenticated && asked ? asked.number : card;
  const code = random.chance(0.9) ? '123456' : '000000';
  const address = await payAtBank(pay, known, code).catch(() => null);
  count(crowd.record, `bank ${address === null ? 'is done' : 'sends back'}`);
  if (random.chance(0.85)) await comeBack(address).catch(() => undefined);
}
