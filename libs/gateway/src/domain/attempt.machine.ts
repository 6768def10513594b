import { defineMachine } from '@gp/primitives';

export const ATTEMPT_TRIGGERS = ['approve', 'decline', 'fail', 'doubt', 'reverse'] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];
export type AttemptState = 'started' | 'unknown' | 'succeeded' | 'declined' | 'failed';

/**
 * One call to a gateway. `declined` is its definite refusal, `failed` a call that certainly had no effect. Both
 * give way to a later truth: what the gateway did, happened. `reverse` is a scheme that takes its word back.
 */
export const attemptMachine = defineMachine<AttemptState, AttemptTrigger>({
  name: 'psp_attempt',
  initial: 'started',
  triggers: ATTEMPT_TRIGGERS,
  table: {
    started: { approve: 'succeeded', decline: 'declined', fail: 'failed', doubt: 'unknown' },
    unknown: { approve: 'succeeded', decline: 'declined', fail: 'failed', doubt: 'unknown' },
    succeeded: { reverse: 'declined' },
    declined: { approve: 'succeeded' },
    failed: { approve: 'succeeded' },
  },
});

/** The states a trigger may find a row in: the guard of the update that records it. */
export function statesBefore(trigger: AttemptTrigger): readonly AttemptState[] {
  return attemptMachine.matrix().flatMap(({ from, trigger: t, to }) => (t === trigger && to ? [from] : []));
}

/** Where a trigger leads, whatever state it is legal in. */
export function stateAfter(trigger: AttemptTrigger): AttemptState {
  const cell = attemptMachine.matrix().find(({ trigger: t, to }) => t === trigger && to !== null);
  if (cell?.to == null) throw new Error(`no state follows ${trigger}`);
  return cell.to;
}
