import { defineMachine } from '@gp/primitives';

export const CALL_TRIGGERS = ['approve', 'decline', 'fail', 'doubt', 'reverse'] as const;
export type CallTrigger = (typeof CALL_TRIGGERS)[number];
export type CallState = 'started' | 'unknown' | 'succeeded' | 'declined' | 'failed';

/**
 * One write-ahead call to a gateway (table `psp_attempts`). `declined` is the gateway's definite refusal,
 * `failed` a call that certainly had no effect. Both can still become a success when the gateway later shows the
 * effect. `reverse`: the card scheme reversed it.
 */
export const gatewayCallMachine = defineMachine<CallState, CallTrigger>({
  name: 'psp_attempt',
  initial: 'started',
  triggers: CALL_TRIGGERS,
  table: {
    started: { approve: 'succeeded', decline: 'declined', fail: 'failed', doubt: 'unknown' },
    unknown: { approve: 'succeeded', decline: 'declined', fail: 'failed', doubt: 'unknown' },
    succeeded: { reverse: 'declined' },
    declined: { approve: 'succeeded' },
    failed: { approve: 'succeeded' },
  },
});

/** Lists the states from which a trigger leads on: the guard of the update that records it. */
export function statesBefore(trigger: CallTrigger): readonly CallState[] {
  return gatewayCallMachine
    .matrix()
    .flatMap(({ from, trigger: t, to }) => (t === trigger && to ? [from] : []));
}

/** Returns the state to which a trigger leads, from any state in which it is legal. */
export function stateAfter(trigger: CallTrigger): CallState {
  const cell = gatewayCallMachine.matrix().find(({ trigger: t, to }) => t === trigger && to !== null);
  if (cell?.to == null) throw new Error(`no state follows ${trigger}`);
  return cell.to;
}
