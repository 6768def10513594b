import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { on, openBus } from '@gp/bus';
import { fireTimer } from '@gp/contracts';
import { freePort, startService, testNats } from '@gp/testing';
import pg from 'pg';
import { root, type StackFile } from '../../support/stack.ts';
import { openSideSchema } from '../side-database.ts';

const OWNER = 'ledger';
/** The scheduler looks so often, since nothing tells it of rows that another wrote, ms. Less would cost the references. */
const SCAN_MS = '50';
const POLL_MS = 20;
const GIVE_UP_AFTER_MS = 180_000;
/** Messages that the owner handles at once. */
const AT_ONCE = 500;

/** A scheduler by itself: its database on the stack's server, a bus of its own, and an owner that acknowledges. */
export type SchedulerAlone = AsyncDisposable & {
  /**
   * Writes so many due timers, and returns the seconds from their commit until the owner has handled each and the outbox is
   * empty. Throws when one does not fire; one that fires twice is allowed.
   */
  fire(count: number): Promise<number>;
};

export async function openScheduler(stack: StackFile): Promise<SchedulerAlone> {
  await using opening = new AsyncDisposableStack();
  const migrations = ['services/scheduler/migrations'];
  const schema = await openSideSchema(stack, { database: 'bench_timers', schema: 'scheduler', migrations });
  const nats = opening.adopt(await testNats(), (server) => server.stop());
  const bus = opening.adopt(await openBus({ servers: nats.url, name: 'bench-owner' }), (open) =>
    open.close(),
  );
  await bus.ensureStreams();
  const service = opening.adopt(
    startService(join(root, 'services/scheduler/src/main.ts'), {
      NODE_ENV: 'production',
      DATABASE_URL: schema.url,
      NATS_URL: nats.url,
      ALLOW_PLAIN_NATS: 'true',
      METRICS_PORT: String(await freePort()),
      SCAN_INTERVAL_MS: SCAN_MS,
    }),
    (running) => running.stop().then(() => undefined),
  );
  await service.managementPort;
  const database = opening.adopt(new pg.Client({ connectionString: schema.url }), (open) => open.end());
  await database.connect();
  const fired = new Set<string>();
  const handle = ({ key }: { readonly key: string }): Promise<void> => {
    fired.add(key);
    return Promise.resolve();
  };
  const dead = (): Promise<void> => Promise.reject(new Error('the owner refuses nothing'));
  bus.consume(on(fireTimer(OWNER), { durable: 'bench', maxInFlight: AT_ONCE, onDead: dead }, handle));
  const opened = opening.move();
  return {
    async fire(count) {
      fired.clear();
      await schema.asOwner('truncate timers');
      // All become visible, and known to the planner, with one commit.
      await schema.asOwner(insertDue(count), 'analyze timers');
      const startedAt = performance.now();
      while (fired.size < count || (await countOpen(database)) > 0) {
        if (performance.now() > startedAt + GIVE_UP_AFTER_MS)
          throw new Error(`${fired.size} of ${count} timers fired`);
        await delay(POLL_MS);
      }
      return (performance.now() - startedAt) / 1_000;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Returns the statement that writes so many due timers as the scheduler keeps them. */
function insertDue(count: number): string {
  return `insert into timers (owner, key, revision, state, kind, due_at, data, merchant_id, mode)
     select '${OWNER}', gen_random_uuid(), 1, 'armed', 'group_expiry', clock_timestamp(), '{"step":1}', 'm1', 'test'
     from generate_series(1, ${count})`;
}

/** Timers that have not fired, and messages that the bus has not. */
async function countOpen(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `select ((select count(*) from timers where state = 'armed')
           + (select count(*) from outbox where sent_at is null))::int as open`,
  );
  return rows[0]?.open ?? NaN;
}
