import { setTimeout as delay } from 'node:timers/promises';
import { merchantApi, type Group, type MerchantApi, type Pay } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { authorise, cards, type Payer } from '../support/payer.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { useStack } from '../support/running.ts';
import { merchantOf, switchGateway, type Merchant, type StackFile } from '../support/stack.ts';
import { tell } from './print.ts';
import { writeStory } from './story-log.ts';

type Scene = { stack: StackFile; merchant: Merchant; api: MerchantApi; receiver: Receiver };

const ana: Payer = { email: 'ana@payers.example', name: 'Ana Ruiz', card: cards.approved };
const ben: Payer = { email: 'ben@payers.example', name: 'Ben Okafor', card: cards.authenticated };
const cleo: Payer = { email: 'cleo@payers.example', name: 'Cleo Martin', card: cards.approved };

tell.chapter('Group Payments, the whole life of a bill');
const { stack, close } = await useStack(tell.note);
const receiver = await openReceiver();
try {
  const merchant = merchantOf(stack, 'multi');
  const api = merchantApi(stack.api, merchant.test_key);
  const scene: Scene = { stack, merchant, api, receiver };
  await listen(scene);
  const paid = await payTogether(scene);
  await letExpire(scene);
  await showStory(paid);
  tell.chapter('Done');
} catch (error) {
  tell.bad(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await receiver.close();
  await close();
}

async function listen({ api, receiver }: Scene): Promise<void> {
  tell.chapter('1. The merchant listens');
  const endpoint = await api.createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
  receiver.onEvent((event) => tell.event(`${event.type}  (signature verified)`));
  tell.good(`webhook endpoint ${endpoint.id} is registered`);
}

async function payTogether(scene: Scene): Promise<Pay[]> {
  const { api, stack, merchant, receiver } = scene;
  tell.chapter('2. Three friends share one bill of 90.00 EUR');
  const { group_payment, payment_slots, checkout_url } = await api.createGroup({
    group_name: 'Dinner at Casa Lola',
    total_amount: 90.0,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    distribution: { type: 'equally', number_of_slots: 3 },
  });
  const { id } = group_payment;
  tell.good(
    `${group_payment.merchant_order_id} is open: ${payment_slots.map((slot) => slot.amount).join(' + ')} EUR`,
  );
  tell.note(`checkout_url ${checkout_url}`);

  await switchGateway(stack, merchant, 'gateway_a');
  const first = await takeSlot(scene, id, ana, payment_slots[0]?.id);
  const second = await takeSlot(scene, id, ben, payment_slots[1]?.id);
  await switchGateway(stack, merchant, 'gateway_b');
  tell.step('the merchant switches its active gateway: running payments keep theirs');
  const third = await takeSlot(scene, id, cleo, payment_slots[2]?.id);

  const paid = await api.becomes(id, ['paid']);
  tell.good(`every share was held, so all were captured at once: the bill is ${paid.group_payment.state}`);
  await heard(receiver, id, 'group_payment.paid');
  for (const pay of [first, second, third]) await checkBooks(stack, pay, { captured: true });
  return [first, second, third];
}

async function takeSlot(scene: Scene, id: string, payer: Payer, slotId: string | undefined): Promise<Pay> {
  const { api, stack } = scene;
  const body = { customer_email: payer.email, customer_name: payer.name, slot_ids: [slotId] };
  const pay = await api.pay(id, body);
  tell.step(`${payer.name} takes a share of ${pay.amount} ${pay.currency}, on ${pay.psp_code}`);
  await authorise(stack, api, id, pay, payer);
  const proof = payer.card === cards.authenticated ? ' after 3-D Secure' : '';
  const group = await held(api, id, slotId);
  tell.good(
    `${payer.name}'s card is held${proof}, nothing is charged: the bill is ${group.group_payment.state}`,
  );
  return pay;
}

async function held(api: MerchantApi, id: string, slotId: string | undefined): Promise<Group> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(100)) {
    const group = await api.findGroup(id);
    const state = group.payment_slots.find((slot) => slot.id === slotId)?.state;
    if (state === 'preauthorised' || state === 'captured') return group;
    if (Date.now() > giveUpAt) throw new Error(`slot ${slotId} is ${state}, not held`);
  }
}

async function letExpire(scene: Scene): Promise<void> {
  const { api, stack, merchant } = scene;
  tell.chapter('3. A second bill that nobody completes');
  await switchGateway(stack, merchant, 'gateway_a');
  const { group_payment, payment_slots } = await api.createGroup({
    group_name: 'Cinema',
    total_amount: 24.5,
    currency: 'EUR',
    expires_at: inSeconds(6),
    distribution: { type: 'custom', slots: [{ amount: 14.5 }, { amount: 10 }] },
  });
  tell.good(`${group_payment.merchant_order_id} is open for six seconds`);
  const pay = await takeSlot(scene, group_payment.id, ana, payment_slots[0]?.id);
  const expired = await api.becomes(group_payment.id, ['expired'], 30_000);
  tell.good(`time is up: the bill is ${expired.group_payment.state}`);
  await checkBooks(stack, pay, { captured: false });
}

/** The gateway's own books are the judge: one authorisation and one capture, or one void and no capture. */
async function checkBooks(stack: StackFile, pay: Pay, o: { captured: boolean }): Promise<void> {
  const wanted = o.captured ? 'captured' : 'voided';
  for (const giveUpAt = Date.now() + 60_000; ; await delay(200)) {
    const payments = await bookedPayments(stack, pay.psp_code, pay.payment_intent_id);
    const moved = payments.filter((payment) => Number(payment.authorised_minor) > 0);
    if (moved.length === 1 && moved[0]?.status === wanted) {
      const captured = Number(moved[0].captured_minor);
      tell.good(
        o.captured
          ? `${pay.psp_code}'s books: one authorisation, one capture of ${captured / 100}`
          : `${pay.psp_code}'s books: the hold was released, ${captured} captured`,
      );
      return;
    }
    if (moved.length > 1) throw new Error(`${pay.psp_code} has ${moved.length} holds for one payment`);
    if (Date.now() > giveUpAt)
      throw new Error(`${pay.psp_code}'s books show ${moved[0]?.status ?? 'nothing'}, not ${wanted}`);
  }
}

async function heard(receiver: Receiver, groupId: string, type: string): Promise<void> {
  const giveUpAt = Date.now() + 90_000;
  const isHeard = () =>
    receiver.events.some((event) => event.type === type && event.data['group_payment_id'] === groupId);
  while (!isHeard()) {
    if (Date.now() > giveUpAt) throw new Error(`${type} was not delivered`);
    await delay(100);
  }
  if (receiver.refused.length > 0) throw new Error(`a delivery was refused: ${receiver.refused[0]}`);
}

async function showStory(pays: readonly Pay[]): Promise<void> {
  const pay = pays.at(-1);
  if (!pay) return;
  tell.chapter('4. One payment, as its services tell it');
  const { file, traceId, lines } = await writeStory(pay.payment_intent_id);
  lines.forEach((line) => tell.note(line));
  tell.good(`trace ${traceId}, log of this payment: ${file}`);
}

function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
