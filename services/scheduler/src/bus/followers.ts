import type { Bus } from '@gp/bus';
import { findTestWork, moveTestClock, type TestWork } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { lookAtOutbox } from '@gp/test-clock';
import type { Followers } from '../app/ports.ts';
import { databaseTime } from '../db/test-clocks.ts';

/** Most of it is the look at a service's consumers; a service that needs longer is not well. */
const PATIENCE_MS = 3_000;
const OURSELVES = 'scheduler';

/**
 * The services named, over the bus, and the scheduler itself. They are told in their order: those that know merchants'
 * accounts before the sandbox, which goes by them.
 */
export function followersOn(o: { bus: Bus; db: Db; contexts: readonly string[] }): Followers {
  const { bus, db, contexts } = o;
  return {
    async tell({ merchantId: merchant_id, aheadMs: ahead_ms, revision }) {
      const accounts: string[] = [];
      for (const context of contexts) {
        const move = { merchant_id, ahead_ms, revision, accounts };
        const told = await bus.call(moveTestClock(context), move, { timeoutMs: PATIENCE_MS });
        accounts.push(...told.accounts);
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
        const hasHeard = await bus.hasHeard(published);
        const since = seen.get(OURSELVES) ?? null;
        const outbox = await lookAtOutbox(db, { merchantId, since, asOf });
        const waits_for = !hasHeard ? 'messages' : outbox.isUnsent ? 'outbox' : null;
        const is_past = hasHeard && !outbox.wasUnsent;
        return { waits_for, is_past, has_acted: outbox.hasActed, seen: outbox.seen, due_in_ms: null };
      }
    },
  };
}
