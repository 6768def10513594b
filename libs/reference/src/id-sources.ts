/**
 * Which answers have ids that other operations ask for: by operation, the name of the id and the way to it in the answer.
 * The collection sets its variables by it, and the page fills in its fields.
 */
export const idSources: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  createGroupPayment: {
    group_payment_id: ['group_payment', 'id'],
    slot_id: ['payment_slots', '0', 'id'],
  },
  getGroupPayment: {
    group_payment_id: ['group_payment', 'id'],
    slot_id: ['payment_slots', '0', 'id'],
  },
  listGroupPayments: { group_payment_id: ['group_payments', '0', 'id'] },
  payGroupPayment: { payment_intent_id: ['payment_intent_id'] },
  createTestPayment: { payment_intent_id: ['payment_intent_id'] },
  listCustomers: { customer_id: ['customers', '0', 'customer_id'] },
  createWebhook: { webhook_id: ['id'] },
  listWebhooks: { webhook_id: ['webhook_endpoints', '0', 'id'] },
  testWebhook: { delivery_id: ['id'] },
  listWebhookDeliveries: { delivery_id: ['deliveries', '0', 'id'] },
  recoverWebhook: { recovery_id: ['id'] },
  listEvents: { event_id: ['events', '0', 'id'] },
  listRequestLogs: { request_log_id: ['request_logs', '0', 'id'] },
};

/** What `{id}` of a path names, by the word behind `/v1/`. */
const idNames: Readonly<Record<string, string>> = {
  'group-payments': 'group_payment_id',
  customers: 'customer_id',
  webhooks: 'webhook_id',
  events: 'event_id',
  'request-logs': 'request_log_id',
};

/** Ids within the examples of bodies and headers, and what they name. */
export const idsInExamples: Readonly<Record<string, string>> = {
  '0198c0de-0000-7000-8000-0000000000a1': 'slot_id',
  '0198c0de-0000-7000-8000-0000000000b1': 'payment_intent_id',
  '0198c0de-0000-7000-8000-0000000000e1': 'event_id',
};

/** Returns what a parameter of a path names: `id` of a webhook endpoint is its `webhook_id`. */
export function nameOfPathId(path: string, parameter: string): string {
  if (parameter !== 'id') return parameter;
  const noun = path.split('/')[2] ?? '';
  const name = idNames[noun];
  if (name === undefined) throw new Error(`nothing names the id of ${path}`);
  return name;
}
