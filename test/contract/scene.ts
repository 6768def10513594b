import type { JsonObject } from '@gp/reference';
import { eventually } from '@gp/testing';
import { sendUntilAnswered } from '../support/api.ts';
import type { Delivery, Endpoint } from '../support/endpoint.ts';
import { openApi, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';
import type { Asked } from './judged.ts';

export type Scene = {
  readonly key: string;
  /** For every operation, a request that succeeds once. */
  readonly asked: Readonly<Record<string, Asked>>;
};

/** Makes what each operation needs: groups in every stage, an endpoint with a delivery, events. */
export async function setScene(stack: StackFile, endpoint: Endpoint): Promise<Scene> {
  const merchant = findMerchant(stack, 'gateway_b');
  const api = openApi(stack, merchant);
  const who = payer('contract');
  const hook = { id: (await api.createWebhook(endpoint.url)).id };
  const spare = { id: (await api.createWebhook(endpoint.url)).id };

  const paid = await newGroup(api, 1);
  await paySlot(stack, api, paid, 0, who);
  const { event }: Delivery = await endpoint.accepted('group_payment.paid', paid.group_payment.id);
  const open = { id: (await newGroup(api, 30, { organiser: { may: ['extend'] } })).group_payment.id };
  const tested = { id: (await newGroup(api, 1)).group_payment.id };
  const [started, unwanted] = [await newGroup(api, 1), await newGroup(api, 1)];
  const pay = await api.pay(started.group_payment.id, { customer_email: who.email });
  const [customer] = (await api.client.listCustomers({ customer_email: who.email })).customers;
  const ofCustomer = { id: customer?.customer_id ?? '' };
  const since = inSeconds(-3_600);
  const recover = `${stack.api}/v1/webhooks/${hook.id}/recover`;
  const log = await eventually(async () => {
    const { request_logs } = await api.client.listRequestLogs({ limit: 1 });
    return request_logs[0];
  });
  const auth = { authorization: `Bearer ${merchant.test_key}` };
  const recovery = await sendUntilAnswered('POST', recover, { since }, auth);

  return {
    key: merchant.test_key,
    asked: {
      listGroupPayments: {},
      createGroupPayment: { body: groupBody() },
      getGroupPayment: { path: open },
      updateGroupPayment: { path: open, body: { group_name: 'Contract', metadata: { table: 7 } } },
      payGroupPayment: { path: open, body: { customer_email: who.email } },
      confirmPayment: {
        path: { id: started.group_payment.id },
        body: await buildConfirmRequest(stack, pay, who),
      },
      createTestPayment: { path: tested, body: { customer_email: who.email, card: 'declined' } },
      refundGroupPayment: { path: { id: paid.group_payment.id }, body: {} },
      rollCheckoutLink: { path: { id: started.group_payment.id } },
      rollOrganiserLink: { path: open },
      listCustomers: {},
      getCustomer: { path: ofCustomer },
      listCustomerPayments: { path: ofCustomer },
      getBalance: {},
      getStatement: {},
      listPayments: { path: { id: paid.group_payment.id } },
      cancelGroupPayment: { path: { id: unwanted.group_payment.id } },
      createSession: { path: open, body: { expires_in: 600 } },
      listWebhooks: {},
      createWebhook: {
        body: { url: endpoint.url, description: 'Till', event_types: ['group_payment.paid'] },
      },
      getWebhook: { path: hook },
      updateWebhook: { path: hook, body: { description: null } },
      deleteWebhook: { path: spare },
      rollWebhookSecret: { path: hook, body: { overlap_seconds: 3_600 } },
      testWebhook: { path: hook, body: { event_type: 'group_payment.paid' } },
      listWebhookDeliveries: { path: hook },
      resendWebhookDelivery: { path: { ...hook, delivery_id: event.id } },
      recoverWebhook: { path: hook, body: { since } },
      getWebhookRecovery: { path: { ...hook, recovery_id: String(recovery.body['id']) } },
      listEvents: {},
      listRequestLogs: {},
      getRequestLog: { path: { id: log.id } },
      getEvent: { path: { id: event.id } },
    },
  };
}

const groupBody = (): JsonObject => ({
  group_name: 'Contract',
  total_amount: 90,
  currency: 'EUR',
  expires_at: inSeconds(86_400),
  distribution: { type: 'equally', number_of_slots: 3 },
});
