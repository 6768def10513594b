import { GroupPaymentsError, openClient } from '@group-payments/client';
import { verifyWebhook, WebhookSignatureError, type WebhookEvent } from '@group-payments/client/webhooks';

/** Arguments of a program, as JSON. */
export type Task = {
  readonly baseUrl: string;
  /** A secret key, or a session token of the group with `groupId`. */
  readonly key: string;
  /** An existing group; a new one of one slot otherwise. */
  readonly groupId?: string;
  readonly card: Parameters<ReturnType<typeof openClient>['confirmPayment']>[1]['card'];
  /** A webhook as it was delivered. */
  readonly delivery: { readonly rawBody: string; readonly signature: string; readonly secret: string };
};

export type Result = {
  readonly state: string;
  readonly event: string;
  /** The state that a group's event carries. */
  readonly eventState: string | null;
  readonly forged: string;
  readonly refusal: string;
};

/** Pays a whole group, verifies a genuine webhook and a forged one, and provokes an error: what an integration does. */
export async function payGroup({ baseUrl, key, groupId, card, delivery }: Task): Promise<Result> {
  const client = openClient({ baseUrl, key });
  const id = groupId ?? (await createGroup(client));
  const payment = await client.payGroupPayment(id, { customer_email: 'packaged@payers.example' });
  await client.confirmPayment(id, { payment_intent_id: payment.payment_intent_id, card });
  const state = await waitUntilPaid(client, id);
  const event = await verifyWebhook(delivery);
  const tampered = { ...delivery, rawBody: `${delivery.rawBody} ` };
  const forged = await verifyWebhook(tampered).catch((error: unknown) =>
    error instanceof WebhookSignatureError ? error.message : `another error: ${String(error)}`,
  );
  const refusal = await client
    .payGroupPayment(id, { customer_email: 'late@payers.example' })
    .catch((error: unknown) => (error instanceof GroupPaymentsError ? error.code : String(error)));
  return {
    state,
    event: event.type,
    eventState: findState(event),
    forged: typeof forged === 'string' ? forged : 'accepted',
    refusal: typeof refusal === 'string' ? refusal : 'accepted',
  };
}

type Client = ReturnType<typeof openClient>;

async function createGroup(client: Client): Promise<string> {
  const { group_payment } = await client.createGroupPayment({
    group_name: 'Packaged',
    total_amount: 10,
    currency: 'EUR',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    distribution: { type: 'equally', number_of_slots: 1 },
  });
  return group_payment.id;
}

async function waitUntilPaid(client: Client, id: string): Promise<string> {
  for (let looks = 0; looks < 300; looks++) {
    const { group_payment } = await client.getGroupPayment(id);
    if (group_payment.state === 'paid') return group_payment.state;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return 'not paid';
}

/** The compiler knows by `type` what an event carries. */
function findState(event: WebhookEvent): string | null {
  switch (event.type) {
    case 'group_payment.paid':
      return event.data.state;
    default:
      return null;
  }
}
