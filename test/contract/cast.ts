import { randomUUID } from 'node:crypto';
import { eventually } from '@gp/testing';
import type { Group, Pay } from '../support/api.ts';
import type { Endpoint } from '../support/endpoint.ts';
import { openApi, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

/** A bill, with a payment of it where one was started. */
type Bill = { readonly id: string; readonly slots: readonly string[]; readonly payment?: string };
type Hook = { readonly id: string; readonly delivery: string; readonly recovery: string };

/** All callers. The first owns everything that is requested. */
export const CALLERS = [
  'owner',
  'other merchant',
  'session token',
  'reading token',
  'nobody',
  'junk',
] as const;
export type Caller = (typeof CALLERS)[number];

export type Cast = {
  readonly credentials: Readonly<Record<Caller, string | undefined>>;
  /** The group of both tokens. */
  readonly tokenGroup: string;
  /** Returns the value of a placeholder in a request of this operation. */
  filled(text: string, operation: string, pick: number): string;
  /** Takes in what an answer made. */
  collect(operation: string, body: Record<string, unknown>): void;
};

const MANY = 4;
const who = payer('generated');

/** Makes the things that requests are about: bills at every stage, endpoints that were sent something, tokens. */
export async function openCast(stack: StackFile, endpoint: Endpoint): Promise<Cast> {
  const merchant = findMerchant(stack, 'gateway_b');
  const api = openApi(stack, merchant);
  const server = openRequests(stack.api, merchant.test_key);
  const times = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: MANY }, make));

  const open = (await times(() => newGroup(api, 3, { organiser: { may: ['extend'] } }))).map((group) =>
    buildBill(group),
  );
  const unwanted = (await times(() => newGroup(api, 1))).map((group) => buildBill(group));
  const started: Bill[] = [];
  let pay: Pay | undefined;
  for (const group of await times(() => newGroup(api, 2))) {
    const slot_ids = [group.payment_slots[0]?.id];
    pay = await api.pay(group.group_payment.id, { customer_email: who.email, slot_ids });
    started.push(buildBill(group, pay));
  }
  const paid = await times(async () => {
    const group = await newGroup(api, 1);
    const bill = buildBill(group, await paySlot(stack, api, group, 0, who));
    await api.becomes(bill.id, ['paid']);
    return bill;
  });
  const { card } = await buildConfirmRequest(stack, pay as Pay, who);
  const newHook = async (): Promise<Hook> => {
    const { id } = await api.createWebhook(endpoint.url);
    const sent = await server.post(`/v1/webhooks/${id}/test`, { event_type: 'group_payment.paid' });
    const recovery = await server.post(`/v1/webhooks/${id}/recover`, { since: inSeconds(-3_600) });
    return { id, delivery: String(sent.body['id']), recovery: String(recovery.body['id']) };
  };
  const [hooks, spare] = [await times(newHook), await times(newHook)];
  const events = (await server.get('/v1/events')).body['events'] as { id: string }[];
  const logs = await eventually(async () => {
    const { request_logs } = (await server.get('/v1/request-logs')).body as {
      request_logs: { id: string }[];
    };
    return request_logs.length > 0 ? request_logs : undefined;
  });
  const { customers } = (await server.get('/v1/customers')).body as {
    customers: { customer_id: string }[];
  };
  const tokenGroup = open[0]?.id ?? '';
  const token = async (of: string) =>
    String((await server.post(`/v1/group-payments/${of}/session`)).body['token']);

  const billFor = (operation: string): Bill[] => {
    if (operation === 'refundGroupPayment') return paid;
    if (operation === 'cancelGroupPayment') return unwanted;
    // A new link ends the tokens of its group, which ask on.
    if (operation === 'rollCheckoutLink') return open.slice(1);
    return operation === 'confirmPayment' ? started : open;
  };
  const hooksFor = (operation: string): Hook[] => (operation === 'deleteWebhook' ? spare : hooks);
  const one = <T>(list: readonly T[], pick: number): T => list[pick % list.length] as T;

  return {
    credentials: {
      owner: merchant.test_key,
      'other merchant': findMerchant(stack, 'gateway_a').test_key,
      'session token': await token(tokenGroup),
      'reading token': await token(paid[0]?.id ?? ''),
      nobody: undefined,
      junk: 'sk_test_junk',
    },
    tokenGroup,
    filled(text, operation, pick) {
      const bill = one(billFor(operation), pick);
      const hook = one(hooksFor(operation), pick);
      const things: Readonly<Record<string, string>> = {
        'group-payments': bill.id,
        group: bill.id,
        slot: bill.slots[0] ?? '',
        otherSlot: bill.slots.at(-1) ?? '',
        payment: bill.payment ?? randomUUID(),
        webhooks: hook.id,
        delivery_id: hook.delivery,
        recovery_id: hook.recovery,
        events: one(events, pick).id,
        'request-logs': one(logs, pick).id,
        customers: one(customers, pick).customer_id,
        number: card.encrypted_card_number,
        code: card.encrypted_security_code,
        url: endpoint.url,
        soon: inSeconds(86_400),
        now: inSeconds(0),
        past: inSeconds(-3_600),
      };
      return text.replaceAll(/\{\{([\w-]+)\}\}/g, (all, name: string) => things[name] ?? all);
    },
    collect(operation, body) {
      if (operation === 'createGroupPayment') open.push(buildBill(body as unknown as Group));
      if (operation === 'createWebhook') spare.push({ ...one(spare, 0), id: String(body['id']) });
    },
  };
}

const buildBill = ({ group_payment, payment_slots }: Group, pay?: Pay): Bill => ({
  id: group_payment.id,
  slots: payment_slots.map(({ id }) => id),
  ...(pay && { payment: pay.payment_intent_id }),
});
