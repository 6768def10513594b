import { setTimeout as delay } from 'node:timers/promises';
import { findManifest } from '@gp/gateway-registry';
import { send, type Group, type Json, type MerchantApi, type Pay } from '../support/api.ts';
import { booksShow } from '../support/journey.ts';
import { authorise, cards, type Payer } from '../support/payer.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Merchant, StackFile } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { tell } from './print.ts';

/** Whom and what every chapter has to do with. */
export type Scene = {
  readonly stack: StackFile;
  readonly merchant: Merchant;
  readonly api: MerchantApi;
  readonly receiver: Receiver;
};

export const ana: Payer = { email: 'ana@payers.example', name: 'Ana Ruiz', card: cards.approved };
export const ben: Payer = { email: 'ben@payers.example', name: 'Ben Okafor', card: cards.authenticated };
export const cleo: Payer = { email: 'cleo@payers.example', name: 'Cleo Martin', card: cards.approved };
export const dana: Payer = { email: 'dana@payers.example', name: 'Dana Weiss', card: cards.approved };

/** A client of the API that sends one request at a time and returns every answer. */
export function plain({ stack, merchant }: Scene) {
  const auth = { authorization: `Bearer ${merchant.test_key}` };
  return {
    post: (path: string, body?: unknown, headers: Json = {}) =>
      send('POST', stack.api + path, body, { ...auth, ...headers }),
  };
}

/** Makes another gateway the merchant's active one, as a click in the dashboard does. */
export async function useGateway({ stack, merchant }: Scene, gateway: string): Promise<void> {
  await switchGateway(stack, merchant, gateway);
  tell.step(`the merchant's active gateway is now ${gateway}; payments under way keep theirs`);
}

/** Takes one slot, pays it in the way of its gateway, and prints each step. */
export async function takeSlot(scene: Scene, group: Group, index: number, payer: Payer): Promise<Pay> {
  const { api, stack } = scene;
  const { id } = group.group_payment;
  const slotId = group.payment_slots[index]?.id;
  const pay = await api.pay(id, {
    customer_email: payer.email,
    customer_name: payer.name,
    slot_ids: [slotId],
  });
  tell.step(`${payer.name} takes a share of ${pay.amount} ${pay.currency}, on ${pay.psp_code}`);
  await authorise(stack, api, id, pay, payer);
  const state = await whenHeld(api, id, slotId);
  const charge = state === 'partially_preauthorised' ? 'nothing is charged' : 'the last share';
  tell.good(`${payer.name}'s card is held ${describeWay(pay, payer)}, ${charge}: the bill is ${state}`);
  return pay;
}

function describeWay(pay: Pay, payer: Payer): string {
  const { flow } = findManifest(pay.psp_code);
  if (flow === 'redirect') return "on the bank's own page";
  if (flow === 'server_confirm') return 'with a number encrypted in the browser';
  return payer.card === cards.authenticated ? 'after 3-D Secure' : 'by the card form';
}

async function whenHeld(api: MerchantApi, id: string, slotId: string | undefined): Promise<string> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(100)) {
    const group = await api.findGroup(id);
    const state = group.payment_slots.find((slot) => slot.id === slotId)?.state;
    if (state === 'preauthorised' || state === 'captured') return group.group_payment.state;
    if (Date.now() > giveUpAt) throw new Error(`slot ${slotId} is ${state}, not held`);
  }
}

/** The gateway's own books decide: one hold, and its end. */
export async function checkBooks(stack: StackFile, pay: Pay, status: Verdict): Promise<void> {
  const booked = await booksShow(stack, pay, status);
  const [taken, returned] = [booked.captured_minor, booked.refunded_minor].map(
    (minor) => Number(minor) / 100,
  );
  const said = {
    captured: `one hold, one capture of ${taken}`,
    voided: `the hold was released, ${taken} captured`,
    refunded: `${taken} captured and ${returned} given back`,
  }[status];
  tell.good(`${pay.psp_code}'s books: ${said}`);
}
type Verdict = 'captured' | 'voided' | 'refunded';

/** Waits until the merchant received an event, and fails when a delivery could not be verified. */
export async function heard({ receiver }: Scene, groupId: string, type: string): Promise<void> {
  const isDelivered = () =>
    receiver.events.some((event) => event.type === type && event.data['group_payment_id'] === groupId);
  for (const giveUpAt = Date.now() + 90_000; !isDelivered(); await delay(100))
    if (Date.now() > giveUpAt) throw new Error(`${type} was not delivered`);
  if (receiver.refused.length > 0) throw new Error(`a delivery was refused: ${receiver.refused[0]}`);
}
