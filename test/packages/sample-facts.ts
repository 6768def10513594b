import { openClient } from '@group-payments/client';
import type { Endpoint } from '../support/endpoint.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import type { Merchant, StackFile } from '../support/stack.ts';

/** What stands in a sample, and what stands there for a merchant who has it. */
export type Facts = Readonly<Record<string, string>>;

/** The ids of the examples. */
export const SHOWN = {
  id: '0198c0de-0000-7000-8000-000000000001',
  slot: '0198c0de-0000-7000-8000-0000000000a1',
  payment: '0198c0de-0000-7000-8000-0000000000b1',
  delivery: '0198c0de-0000-7000-8000-0000000000d1',
  recovery: '0198c0de-0000-7000-8000-0000000000d2',
} as const;

/** Makes what the samples need, and returns it by operation: a group that is paid for a refund, for example. */
export async function prepareFacts(
  stack: StackFile,
  merchant: Merchant,
  o: { endpoint: Endpoint; findExample: (operation: string) => unknown },
): Promise<Readonly<Record<string, Facts>>> {
  const api = openApi(stack, merchant);
  const client = openClient({ key: merchant.test_key, baseUrl: stack.api });
  const { id: webhook } = await client.createWebhook({ url: o.endpoint.url });
  const { id: spare } = await client.createWebhook({ url: o.endpoint.url });
  const open = await newGroup(api, 3, { organiser: { may: [] } });
  const ended = await newGroup(api, 1);
  const unpaid = await newGroup(api, 3);
  const tested = await newGroup(api, 3);
  const begun = await newGroup(api, 1);
  const paid = await newGroup(api, 1);
  const who = payer('reader');
  await paySlot(stack, api, paid, 0, who);
  await o.endpoint.accepted('group_payment.paid', paid.group_payment.id);
  const started = await api.pay(begun.group_payment.id, { customer_email: who.email });
  const { card } = await buildConfirmRequest(stack, started, who);
  const now = Date.now();
  const period = { since: new Date(now - 60_000).toISOString(), until: new Date(now).toISOString() };
  const recovery = await client.recoverWebhook(spare, period);
  const [delivery] = (await client.listWebhookDeliveries(webhook)).deliveries;
  const [event] = (await client.listEvents()).events;
  const [customer] = (await client.listCustomers()).customers;
  const [log] = (await client.listRequestLogs()).request_logs;
  const group = (of: typeof open): Facts => ({
    [SHOWN.id]: of.group_payment.id,
    [SHOWN.slot]: of.payment_slots[0]?.id ?? '',
  });
  const hook = { [SHOWN.id]: webhook, [SHOWN.delivery]: delivery?.id ?? '' };
  return {
    ...Object.fromEntries(
      ['getGroupPayment', 'updateGroupPayment', 'rollCheckoutLink', 'rollOrganiserLink', 'createSession'].map(
        (name) => [name, group(open)],
      ),
    ),
    cancelGroupPayment: group(ended),
    payGroupPayment: group(unpaid),
    createTestPayment: group(tested),
    confirmPayment: {
      ...group(begun),
      [SHOWN.payment]: started.payment_intent_id,
      ...replaceTexts((o.findExample('confirmPayment') as { card: object }).card, card),
      // The bank sends payers back to registered origins, and to the checkout page.
      'https://merchant.example/webhooks': begun.checkout_url,
    },
    refundGroupPayment: group(paid),
    listPayments: group(paid),
    ...Object.fromEntries(
      [
        'getWebhook',
        'rollWebhookSecret',
        'testWebhook',
        'listWebhookDeliveries',
        'resendWebhookDelivery',
      ].map((name) => [name, hook]),
    ),
    recoverWebhook: hook,
    updateWebhook: { [SHOWN.id]: spare },
    deleteWebhook: { [SHOWN.id]: (await client.createWebhook({ url: o.endpoint.url })).id },
    getWebhookRecovery: { [SHOWN.id]: spare, [SHOWN.recovery]: recovery.id },
    getEvent: { [SHOWN.id]: event?.id ?? '' },
    getCustomer: { [SHOWN.id]: customer?.customer_id ?? '' },
    listCustomerPayments: { [SHOWN.id]: customer?.customer_id ?? '' },
    getRequestLog: { [SHOWN.id]: log?.id ?? '' },
  };
}

/** Pairs the texts of two objects with the same fields. */
function replaceTexts(shown: object, real: object): Facts {
  const values = real as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([, value]) => typeof value === 'string')
      .map(([name, value]) => [value as string, String(values[name])]),
  );
}

/** Writes the facts into a text. */
export const writeFacts = (text: string, facts: Facts = {}): string =>
  Object.entries(facts).reduce((written, [shown, real]) => written.replaceAll(shown, () => real), text);
