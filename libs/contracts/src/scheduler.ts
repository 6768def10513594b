import Type, { type Static } from 'typebox';
import { message, type MessageContract } from './contract.ts';
import { Instant, Scope } from './common.ts';

const TimerKey = {
  /** The context that is told when the timer fires. */
  owner: Type.String({ pattern: '^[a-z_]+$' }),
  key: Type.String({ minLength: 1, maxLength: 120 }),
  /** Grows with every message about a key; an older one never overrides a newer one. */
  revision: Type.Integer({ minimum: 0 }),
};

/** Sets or moves a durable timer. */
export const TimerSet = Type.Object({
  ...Scope,
  ...TimerKey,
  kind: Type.String({ pattern: '^[a-z_]+$' }),
  due_at: Instant,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type TimerSet = Static<typeof TimerSet>;
export const setTimer = message('cmd.scheduler.timer.set.v1', TimerSet);

export const TimerCancel = Type.Object({ ...Scope, ...TimerKey });
export type TimerCancel = Static<typeof TimerCancel>;
export const cancelTimer = message('cmd.scheduler.timer.cancel.v1', TimerCancel);

/** Told to the owner once the timer is due; may be told twice, and guards decide whether it still matters. */
export const TimerFired = TimerSet;
export type TimerFired = TimerSet;
export function fireTimer(owner: string): MessageContract<TimerFired> {
  return message(`cmd.${owner}.timer.fire.v1`, TimerFired);
}
