import Type, { type Static } from '@gp/bundled/typebox';
import { CommandIdentity, Instant, Nullable } from '../common.ts';
import { rpc, type RpcContract } from '../contract.ts';

/**
 * The owner of a clock: a merchant has one in test mode and none in live mode, so messages about it carry no mode.
 */
const Merchant = { merchant_id: Type.String({ minLength: 1, maxLength: 64 }) };
const Ahead = Type.Integer({ minimum: 0 });

/** The longest advance: no hold, reservation or retry of the platform lasts longer. */
export const LONGEST_ADVANCE_SECONDS = 30 * 24 * 60 * 60;
/** The furthest that a clock may be ahead of real time; beyond it has to be reset. */
export const FURTHEST_AHEAD_SECONDS = 366 * 24 * 60 * 60;

export const TestClockView = Type.Object({
  /** The merchant's test-mode time. */
  now: Instant,
  /** How far that is ahead of real time. */
  ahead_ms: Ahead,
  /** How far it has still to move. */
  remaining_ms: Ahead,
  /** True when all work that became due on the way is done. */
  is_settled: Type.Boolean(),
});
export type TestClockView = Static<typeof TestClockView>;

export const findTestClock = rpc('rpc.scheduler.test-clocks.find.v1', {
  repeatable: true,
  request: Type.Object(Merchant),
  response: TestClockView,
});

/**
 * Moves a merchant's test time forward, through everything that becomes due on the way, in order, and once for
 * each command id. Replies when the request is stored: `findTestClock` shows how far the clock came.
 * `validation_error` when the clock would be too far ahead, `idempotency_key_reused` for the id of another advance.
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

/** Sets a merchant's test time back to real time; replies like `advanceTestClock`. */
export const resetTestClock = rpc('rpc.scheduler.test-clocks.reset.v1', {
  repeatable: true,
  request: Type.Object(Merchant),
  response: TestClockView,
});

const Move = Type.Object({
  ...Merchant,
  ahead_ms: Ahead,
  /** Grows with every move; a service that has received a later one ignores this one. */
  revision: Type.Integer({ minimum: 1 }),
  /**
   * The merchant's accounts at the gateways, as far as the services that were sent the move before know them: the
   * sandbox identifies merchants only by these.
   */
  accounts: Type.Array(Type.String()),
});
export type TestClockMove = Static<typeof Move>;
const Moved = Type.Object({ accounts: Type.Array(Type.String()) });

/** Sends a service the position of a merchant's test clock; the reply means that the service uses it. */
export function moveTestClock(context: string): RpcContract<TestClockMove, Static<typeof Moved>> {
  return rpc(`rpc.${context}.test-clocks.move.v1`, { repeatable: true, request: Move, response: Moved });
}

const Look = Type.Object({
  ...Merchant,
  /** The `seen` of the service's last reply; null at the first look. */
  since: Nullable(Type.String()),
  /** Last sequence of each stream: the service must have processed its messages up to there. */
  published: Type.Record(Type.String(), Type.Integer()),
  /** Work that came up later than this does not count for `is_past`. */
  as_of: Instant,
});
export type TestWorkQuestion = Static<typeof Look>;
const Seen = Type.Object({
  /** One word for the merchant's remaining work in test mode; null when there is none. */
  waits_for: Nullable(Type.String()),
  /** Whether all work that existed at `as_of` is done, whatever came since. */
  is_past: Type.Boolean(),
  /** Whether the service has sent a message for the merchant since the earlier look. */
  has_acted: Type.Boolean(),
  seen: Type.String(),
  /** Time until the next work here that the test clock moves; null when there is none. */
  due_in_ms: Nullable(Type.Number()),
});
export type TestWork = Static<typeof Seen>;

/** Returns whether a service has work left for a merchant in test mode, and when the next is due. */
export function findTestWork(context: string): RpcContract<TestWorkQuestion, TestWork> {
  return rpc(`rpc.${context}.test-clocks.look.v1`, { repeatable: true, request: Look, response: Seen });
}

/** The calls with which the scheduler moves the test clocks of one context. */
export const testClockCalls = (context: string) => [moveTestClock(context), findTestWork(context)];
