import Type, { type Static } from '@gp/bundled/typebox';
import { message, type MessageContract } from '../contract.ts';
import { Instant, Nullable, Scope } from '../common.ts';

/** An instruction for one timer: set or move it, or (`timer` null) cancel it. */
export const TimerInstruction = Type.Object({
  ...Scope,
  /** The context that gets the message when the timer fires. */
  owner: Type.String({ pattern: '^[a-z_]+$' }),
  key: Type.String({ minLength: 1, maxLength: 120 }),
  /** Grows with every instruction about a key; an older one never overrides a newer one. */
  revision: Type.Integer({ minimum: 0 }),
  timer: Nullable(
    Type.Object({
      kind: Type.String({ pattern: '^[a-z_]+$' }),
      due_at: Instant,
      data: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
});
export type TimerInstruction = Static<typeof TimerInstruction>;

/** All timer instructions of one commit, in one message. */
export const changeTimers = message(
  'cmd.scheduler.timers.change.v1',
  Type.Object({ instructions: Type.Array(TimerInstruction, { minItems: 1, maxItems: 200 }) }),
);
export type TimerChange = { readonly instructions: readonly TimerInstruction[] };

/** Sent to the owner once the timer is due; may arrive twice, and guards decide whether it still matters. */
export const TimerFired = Type.Object({
  ...Scope,
  owner: Type.String(),
  key: Type.String(),
  revision: Type.Integer({ minimum: 0 }),
  kind: Type.String(),
  due_at: Instant,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type TimerFired = Static<typeof TimerFired>;
export function fireTimer(owner: string): MessageContract<TimerFired> {
  return message(`cmd.${owner}.timer.fire.v1`, TimerFired);
}
