import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { on, openBus } from '@gp/bus';
import { fireTimer } from '@gp/contracts';
import { freePort, startService, testNats } from '@gp/testing';
import pg from 'pg';
import { root, type StackFile } from '../../support/stack.ts';
import { openSideSchema } from '../side-database.ts';

const OWNER = 'ledger';
/** The rows are written before they are due. */
const LEAD_MS = 4_000;
const POLL_MS = 20;
const GIVE_UP_AFTER_MS = 180_000;
/** Messages that the owner handles at once. */
const AT_ONCE = 500;

/** A scheduler by itself: its database on the stack's server, a bus of its own, and an owner that acknowledges. */
export type SchedulerAlone = AsyncDisposable & {
  /**
   * Writes so many timers that are due at one instant, and returns the seconds from then until the owner has handled each
   * and the outbox is empty. Throws when one does not fire; one that fires twice is allowed.
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
      const dueAt = await armTimers(database, count);
      await schema.asOwner('analyze timers');
      if (Date.now() >= dueAt) throw new Error('the timers were due before all of them were written');
      while (fired.size < count || (await countOpen(database)) > 0) {
        if (Date.now() > dueAt + GIVE_UP_AFTER_MS) throw new Error(`${fired.size} of ${count} timers fired`);
        await delay(POLL_MS);
      }
      return (Date.now() - dueAt) / 1_000;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Writes timers as the scheduler keeps them; returns when they are due, in epoch ms. */
async function armTimers(database: pg.Client, count: number): Promise<number> {
  const dueAt = Date.now() + LEAD_MS;
  await database.query(
    `insert into timers (owner, key, revision, state, kind, due_at, data, merchant_id, mode)
     select $1, gen_random_uuid(), 1, 'armed', 'group_expiry', to_timestamp($2::float8 / 1000), '{"step":1}', 'm1', 'test'
     from generate_series(1, $3::int)`,
    [OWNER, dueAt, count],
  );
  return dueAt;
}

/** Timers that have not fired, and messages that the bus has not. */
async function countOpen(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ open: number }>(
    `select ((select count(*) from timers where state = 'armed')
           + (select count(*) from outbox where sent_at is null))::int as open`,
  );
  return rows[0]?.open ?? NaN;
}
