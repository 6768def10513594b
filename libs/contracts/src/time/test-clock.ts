import Type, { type Static } from 'typebox';
import { CommandIdentity, Instant, Nullable } from '../common.ts';
import { rpc, type RpcContract } from '../contract.ts';

/** Whose clock: a merchant has one in test mode and none in live mode, so no message about it says a mode. */
const Merchant = { merchant_id: Type.String({ minLength: 1, maxLength: 64 }) };
const Ahead = Type.Integer({ minimum: 0 });

/** How far one advance may go: no hold, reservation or retry the platform knows lasts longer. */
export const LONGEST_ADVANCE_SECONDS = 30 * 24 * 60 * 60;
/** How far a clock may be ahead of the world; beyond it has to be reset. */
export const FURTHEST_AHEAD_SECONDS = 366 * 24 * 60 * 60;

export const TestClockView = Type.Object({
  /** The merchant's test-mode time. */
  now: Instant,
  /** How far that is ahead of the world. */
  ahead_ms: Ahead,
  /** How far it is still to go. */
  remaining_ms: Ahead,
  /** Whether nothing that fell due on the way is left to do. */
  is_settled: Type.Boolean(),
});
export type TestClockView = Static<typeof TestClockView>;

export const findTestClock = rpc('rpc.scheduler.test-clocks.find.v1', {
  repeatable: true,
  request: Type.Object(Merchant),
  response: TestClockView,
});

/**
 * Moves a merchant's test time forward, past everything that falls due on the way, in order, and once for each command
 * id. Answers when that is done, or just before the deadline with how far it came; the rest of the way is gone without the
 * caller. `validation_error` when the clock would be too far ahead, `idempotency_key_reused` for the id of another advance.
 */
export const advanceTestClock = rpc('rpc.scheduler.test-clocks.advance.v1', {
  repeatable: true,
  request: Type.Object({
    ...CommandIdentity,
    ...Merchant,
    seconds: Type.Integer({ minimum: 1, maximum: LONGEST_ADVANCE_SECONDS }),
  }),
  response: TestClockView,
});

/** Puts a merchant's test time back to the world's; answers like `advanceTestClock`. */
export const resetTestClock = rpc('rpc.scheduler.test-clocks.reset.v1', {
  repeatable: true,
  request: Type.Object(Merchant),
  response: TestClockView,
});

const Move = Type.Object({
  ...Merchant,
  ahead_ms: Ahead,
  /** Grows with every move; a service that has heard of a later one ignores this one. */
  revision: Type.Integer({ minimum: 1 }),
  /** The merchant's accounts at the gateways, as far as those told before know them: all the sandbox goes by. */
  accounts: Type.Array(Type.String()),
});
export type TestClockMove = Static<typeof Move>;
const Moved = Type.Object({ accounts: Type.Array(Type.String()) });

/** Tells a service where a merchant's test time is; answered once the service judges by it. */
export function moveTestClock(context: string): RpcContract<TestClockMove, Static<typeof Moved>> {
  return rpc(`rpc.${context}.test-clocks.move.v1`, { repeatable: true, request: Move, response: Moved });
}

const Look = Type.Object({
  ...Merchant,
  /** What the service answered as `seen` before; null at the first look. */
  since: Nullable(Type.String()),
  /** Last sequence of each stream: the service must have worked off what it consumes of it up to there. */
  published: Type.Record(Type.String(), Type.Integer()),
  /** What came up later than this does not count for `is_past`. */
  as_of: Instant,
});
export type TestWorkQuestion = Static<typeof Look>;
const Seen = Type.Object({
  /** What is left to do for the merchant in test mode, in a word; null when there is nothing. */
  waits_for: Nullable(Type.String()),
  /** Whether all is done that there was to do at `as_of`, whatever came since. */
  is_past: Type.Boolean(),
  /** Whether the service has sent anything for the merchant since the earlier look. */
  has_acted: Type.Boolean(),
  seen: Type.String(),
  /** Time until something falls due here that the test clock moves; null when there is no such thing. */
  due_in_ms: Nullable(Type.Number()),
});
export type TestWork = Static<typeof Seen>;

/** Asks a service whether it has anything left to do for a merchant in test mode, and when it will. */
export function findTestWork(context: string): RpcContract<TestWorkQuestion, TestWork> {
  return rpc(`rpc.${context}.test-clocks.look.v1`, { repeatable: true, request: Look, response: Seen });
}
