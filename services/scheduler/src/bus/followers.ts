import type { Bus } from '@gp/bus';
import { findTestWork, moveTestClock, type TestWork } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { lookAtOutbox } from '@gp/test-clock';
import type { Followers } from '../app/ports.ts';
import { databaseTime } from '../db/test-clocks.ts';

/** Most of this time goes to reading a service's consumers. A service that needs longer is ill. */
const PATIENCE_MS = 3_000;
const OURSELVES = 'scheduler';

/**
 * Calls the named services over the bus, and the scheduler itself. An announcement goes to them in order: the adapters,
 * which know the merchants' accounts, before the sandbox, which needs these accounts.
 */
export function callFollowers(o: {
  bus: Bus;
  db: Db;
  contexts: readonly string[];
  wakeRelay: () => void;
}): Followers {
  const { bus, db, contexts, wakeRelay } = o;
  return {
    async announce({ merchantId: merchant_id, aheadMs: ahead_ms, revision }) {
      const accounts: string[] = [];
      for (const context of contexts) {
        const move = { merchant_id, ahead_ms, revision, accounts };
        const moved = await bus.call(moveTestClock(context), move, { timeoutMs: PATIENCE_MS });
        accounts.push(...moved.accounts);
      }
    },
    async mark() {
      const asOf = await databaseTime(db);
      return { published: await bus.published(), asOf };
    },
    async look(merchantId, { published, asOf }, seen) {
      const question = { merchant_id: merchantId, published, as_of: asOf.toISOString() };
      const looks = contexts.map(async (context): Promise<[string, TestWork]> => {
        const since = seen.get(context) ?? null;
        return [
          context,
          await bus.call(findTestWork(context), { ...question, since }, { timeoutMs: PATIENCE_MS }),
        ];
      });
      const own = async (): Promise<[string, TestWork]> => [OURSELVES, await lookAtOurselves()];
      return new Map(await Promise.all([...looks, own()]));

      async function lookAtOurselves(): Promise<TestWork> {
        const hasConsumed = await bus.hasConsumed(published);
        const since = seen.get(OURSELVES) ?? null;
        const outbox = await lookAtOutbox(db, { merchantId, since, asOf });
        if (outbox.isUnsent) wakeRelay();
        const waits_for = !hasConsumed ? 'messages' : outbox.isUnsent ? 'outbox' : null;
        const is_past = hasConsumed && !outbox.wasUnsent;
        return { waits_for, is_past, has_acted: outbox.hasActed, seen: outbox.seen, due_in_ms: null };
      }
    },
  };
}
