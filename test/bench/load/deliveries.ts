import { setTimeout as delay } from 'node:timers/promises';
import { openBus } from '@gp/bus';
import { publicEventSubject } from '@gp/contracts';
import pg from 'pg';
import type { Merchant, StackFile } from '../../support/stack.ts';
import { newEvent, registerEndpoints, removeEndpoints } from '../../support/webhook-load.ts';
import { request } from '../request.ts';
import { startProgram, stopPeer } from '../start-peer.ts';

/** Published at once: the ledger's outbox hands over batches too. */
const BATCH = 100;
const POLL_MS = 100;
const GIVE_UP_AFTER_MS = 180_000;

/** Endpoints in a program of their own that answer at once, and events for them. */
export type DeliveryLoad = AsyncDisposable & {
  /** The addresses of the endpoints. */
  readonly urls: readonly string[];
  /** Publishes events and waits until every delivery of them, one for each endpoint, is recorded as delivered. */
  dispatch(events: number): Promise<void>;
  /** Deliveries a second of work that makes `count`; throws unless the endpoints have each. Repeats are allowed and rare. */
  rate(count: number, work: () => Promise<unknown>): Promise<number>;
};

/** Registers so many endpoints of a merchant, which belong to the load alone. */
export async function openDeliveryLoad(
  stack: StackFile,
  merchant: Merchant,
  endpoints: number,
): Promise<DeliveryLoad> {
  await using opening = new AsyncDisposableStack();
  const receiver = opening.adopt(await startProgram('receiver', {}), stopPeer);
  const urls = Array.from({ length: endpoints }, (_, index) => `${receiver.url}/hooks/${index}`);
  const bus = opening.adopt(
    await openBus({ servers: stack.nats, name: 'bench', nkeySeed: stack.nats_seeds.administrator }),
    (open) => open.close(),
  );
  const database = opening.adopt(new pg.Client({ connectionString: stack.postgres }), (open) => open.end());
  await database.connect();
  opening.adopt(await registerEndpoints(stack, merchant, urls), (ids) =>
    removeEndpoints(stack, merchant, ids),
  );
  const opened = opening.move();
  const awaitRecords = async (ids: readonly string[]): Promise<void> => {
    const count = ids.length * endpoints;
    for (const giveUpAt = Date.now() + GIVE_UP_AFTER_MS; ; await delay(POLL_MS)) {
      const { rows } = await database.query<{ delivered: number }>(
        `select count(*)::int as delivered from webhooks.deliveries where event_id = any ($1) and status = 'delivered'`,
        [ids],
      );
      const delivered = rows[0]?.delivered ?? 0;
      if (delivered === count) return;
      if (Date.now() > giveUpAt) throw new Error(`${delivered} of ${count} deliveries are recorded`);
    }
  };
  return {
    urls,
    async dispatch(events) {
      const all = Array.from({ length: events }, () => newEvent(merchant.merchant_id));
      for (let first = 0; first < events; first += BATCH)
        await Promise.all(
          all.slice(first, first + BATCH).map((event) => {
            const subject = publicEventSubject(event.type, event.group_id);
            return bus.publish({ id: event.id, subject, payload: event, mode: event.mode });
          }),
        );
      await awaitRecords(all.map(({ id }) => id));
    },
    async rate(count, work) {
      await request(`${receiver.url}/counts`, 'DELETE');
      const startedAt = performance.now();
      await work();
      const elapsed = (performance.now() - startedAt) / 1_000;
      const { different } = (await request(`${receiver.url}/counts`, 'GET')) as { different: number };
      if (different !== count) throw new Error(`${different} of ${count} deliveries arrived`);
      return count / elapsed;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
