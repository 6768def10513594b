import { assertPortFree } from '@gp/stack';
import { freePort } from '@gp/testing';
import { openApi } from '../support/journey.ts';
import { openReceiver, type Received } from '../support/receiver.ts';
import type { Merchant, StackFile } from '../support/stack.ts';
import { Refusal } from '../support/command-line.ts';
import type { Endpoint } from './stored-history.ts';
import type { HeardEvent } from './views.ts';

/** Rejects with a `Refusal` when another program listens where the platform will deliver webhooks. */
export async function assertEndpointsFree(endpoints: readonly Endpoint[]): Promise<void> {
  for (const { merchant, port } of endpoints)
    await assertPortFree(port, `the webhooks of ${merchant}`).catch((cause: unknown) => {
      throw new Refusal(`${(cause as Error).message} The history needs it: try again later.`, { cause });
    });
}

/** Opens the merchants' webhook endpoints: those that the history has already, and the first time new ones. */
export async function openEndpoints(o: {
  stack: StackFile;
  merchants: readonly Merchant[];
  known: readonly Endpoint[];
  isBusy: () => boolean;
}) {
  const opened = await Promise.all(
    o.merchants.map(async (merchant) => {
      const known = o.known.find((endpoint) => endpoint.merchant === merchant.name);
      const port = known?.port ?? (await freePort());
      const receiver = await openReceiver({ isBusy: o.isBusy, port });
      const secret = known?.secret ?? (await openApi(o.stack, merchant).createWebhook(receiver.url)).secret;
      receiver.trust(secret);
      return { endpoint: { merchant: merchant.name, port, secret }, receiver };
    }),
  );
  const receivers = opened.map(({ receiver }) => receiver);
  return {
    endpoints: opened.map(({ endpoint }) => endpoint),
    listHeard: () => receivers.flatMap(({ events }) => events.map(toHeard)),
    listRefused: () => receivers.flatMap(({ refused }) => refused),
    async close(): Promise<void> {
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
}

const toHeard = ({ id, type, data }: Received): HeardEvent => ({
  ...{ id, type },
  group_id: String(data['group_payment_id']),
  sequence: Number(data['sequence']),
});
