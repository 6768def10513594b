import type { Bus } from '@gp/bus';
import { findTestWork, moveTestClock, type TestWork, type TestWorkQuestion } from '@gp/contracts';
import type { Db, Queryable } from '@gp/pg';
import type { Service } from '@gp/service';
import { moveClock } from './clocks.ts';
import { lookAtOutbox } from './outbox-work.ts';

/** A clock that moved forward: later work is due this much earlier. */
export type Shift = {
  readonly merchantId: string;
  readonly byMs: number;
  readonly accounts: readonly string[];
};

/** The work that a service does by itself for a merchant, apart from its messages. */
export type OwnWork = {
  readonly isDue: boolean;
  /** Whether some of it was due at the given instant already. */
  readonly wasDue: boolean;
  readonly dueInMs: number | null;
};

export type Follower = {
  readonly bus: Bus;
  /** Its schema has a table `test_clocks`. */
  readonly db: Db;
  /** The service's name in subjects. */
  readonly context: string;
  readonly hasOutbox: boolean;
  /** Wakes the relay of the outbox, which marks messages as sent when it looks the next time. */
  readonly wakeRelay?: () => void;
  /** Moves due times that are kept in real time; part of the move's commit. */
  readonly shift?: (tx: Queryable, shift: Shift) => Promise<void>;
  /** Wakes work that may have become due. */
  readonly onMoved?: () => void;
  /** The merchant's accounts at the gateway, where the service knows them. */
  readonly listAccounts?: (merchantId: string) => Promise<readonly string[]>;
  readonly work?: (merchantId: string, asOf: Date) => Promise<OwnWork>;
};

const NO_WORK: OwnWork = { isDue: false, wasDue: false, dueInMs: null };
const NO_OUTBOX = { isUnsent: false, wasUnsent: false, hasActed: false, seen: '' };

/**
 * Makes a service follow merchants' test clocks: it stores their moves, and reports when all due work is done. A
 * clock that is reset shifts nothing back.
 */
export function followTestClock(service: Pick<Service<unknown>, 'serve'>, o: Follower): void {
  service.serve(o.bus, moveTestClock(o.context), async (move) => {
    const { merchant_id: merchantId, ahead_ms: aheadMs, revision } = move;
    const accounts = [...((await o.listAccounts?.(merchantId)) ?? [])];
    await o.db.transaction(async (tx) => {
      const byMs = await moveClock(tx, { merchantId, aheadMs, revision });
      if (byMs !== undefined && byMs > 0) await o.shift?.(tx, { merchantId, byMs, accounts: move.accounts });
    });
    o.onMoved?.();
    return { accounts };
  });
  service.serve(o.bus, findTestWork(o.context), (question) => look(o, question));
}

/**
 * Checks the messages first, then their effects: a message leaves its stream only after its effect is committed,
 * so pending work is seen in one place or the other.
 */
async function look(o: Follower, question: TestWorkQuestion): Promise<TestWork> {
  const { merchant_id: merchantId, since, published } = question;
  const asOf = new Date(question.as_of);
  const hasConsumed = await o.bus.hasConsumed(published);
  const outbox = o.hasOutbox ? await lookAtOutbox(o.db, { merchantId, since, asOf }) : NO_OUTBOX;
  if (outbox.isUnsent) o.wakeRelay?.();
  const own = (await o.work?.(merchantId, asOf)) ?? NO_WORK;
  const waitsFor = !hasConsumed ? 'messages' : outbox.isUnsent ? 'outbox' : own.isDue ? 'own work' : null;
  return {
    waits_for: waitsFor,
    is_past: hasConsumed && !outbox.wasUnsent && !own.wasDue,
    has_acted: outbox.hasActed,
    seen: outbox.seen,
    due_in_ms: own.dueInMs,
  };
}
