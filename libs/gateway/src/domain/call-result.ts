import type { Failure, Outcome } from '@gp/contracts';
import type { CallOperation, GatewayCall } from './gateway-call.ts';
import type { CallTrigger } from './gateway-call.machine.ts';
import type { ObservedEffect } from './observed-effect.ts';
import { buildFailure } from './failure.ts';
import type { Answer, EffectOperation } from './payment.ts';

/** The result of a call to the gateway: what the row records and the ledger is sent. */
export type CallResult = {
  readonly status: Outcome['status'];
  /** The transition of the row; null while the gateway has not decided. */
  readonly trigger: CallTrigger | null;
  readonly pspReference: string | null;
  readonly amountMinor: bigint | null;
  /** Null: the requested currency. */
  readonly currency: string | null;
  readonly captureBefore: Date | null;
  readonly failure: Failure | null;
};

const DONE = { authorise: 'authorised', capture: 'captured', void: 'voided', refund: 'refunded' } as const;
type LedgerOperation = keyof typeof DONE;

export function buildResult(
  status: CallResult['status'],
  trigger: CallResult['trigger'],
  more: Partial<CallResult> = {},
): CallResult {
  const nothing = {
    pspReference: null,
    amountMinor: null,
    currency: null,
    captureBefore: null,
    failure: null,
  };
  return { ...nothing, ...more, status, trigger };
}

/** Builds the success of an operation, with the ledger's status for it. */
export function buildSuccess(
  operation: LedgerOperation,
  amountMinor: bigint,
  more: Partial<CallResult> = {},
): CallResult {
  return buildResult(DONE[operation], 'approve', { ...more, amountMinor });
}

/** An answer that is final or unknown. `accepted` and `conflict` need a query of the gateway first. */
export type Conclusive = Exclude<Answer, { kind: 'accepted' | 'conflict' }>;

/** Decides the result of an operation from the gateway's answer. An answer that may hide an effect is `unknown`. */
export function decideFromAnswer(
  operation: Exclude<CallOperation, 'prepare'>,
  answer: Conclusive,
): CallResult {
  switch (answer.kind) {
    case 'approved': {
      const { pspReference, currency, captureBefore } = answer;
      return buildSuccess(operation, answer.amountMinor, { pspReference, currency, captureBefore });
    }
    case 'authenticating':
      // The payer may take minutes: the row waits like one in doubt, and no process looks after it meanwhile.
      return buildResult('authenticating', 'doubt', { pspReference: answer.pspReference });
    case 'declined':
      return buildRefusal(operation, answer.failure, answer.pspReference);
    case 'unknown':
      return buildResult('unknown', 'doubt');
    case 'retryable':
      return buildNoEffect(operation);
  }
}

/** Decides the result of an operation from what the gateway's books show of it. */
export function decideFromEffect(
  operation: EffectOperation,
  effect: Exclude<ObservedEffect, { is: 'absent' }>,
): CallResult {
  switch (effect.is) {
    case 'present':
      return buildSuccess(operation, effect.amountMinor);
    case 'pending':
      return buildResult('unknown', 'doubt');
    case 'lapsed':
      return buildResult('lapsed', 'decline', { failure: buildFailure('hold_gone') });
    case 'captured':
      return buildResult('captured', 'decline', {
        amountMinor: effect.amountMinor,
        failure: buildFailure('already_captured'),
      });
    case 'refused':
      return buildRefusal(operation, effect.failure);
  }
}

/** Builds the result of an operation that certainly had no effect. It may be tried again under the next seq. */
export function buildNoEffect(operation: LedgerOperation): CallResult {
  const failure = buildFailure('gateway_unavailable');
  return buildResult(operation === 'authorise' ? 'absent' : 'retryable', 'fail', { failure });
}

/** Builds the result of the gateway's definite refusal. */
export function buildRefusal(
  operation: LedgerOperation,
  failure: Failure = buildFailure('gateway_refused'),
  pspReference: string | null = null,
): CallResult {
  // A hold must be released whatever the gateway answers today, so a refused void is tried again.
  if (operation === 'void') return buildResult('retryable', 'fail', { failure });
  const status = operation === 'authorise' ? 'declined' : 'failed';
  return buildResult(status, 'decline', { pspReference, failure });
}

/** Failures that say that the hold of a refused capture is gone. */
const HOLD_GONE: ReadonlySet<string> = new Set(['hold_gone', 'authorisation_absent', 'reversed']);

type StoredCall = Pick<GatewayCall, 'state' | 'amountMinor' | 'resultMinor' | 'failure' | 'pspReference'>;

/**
 * Rebuilds the result of a call from its row. Returns undefined where the row does not decide it: the call has no
 * definite result, or it is a refused void.
 */
export function recallResult({
  operation,
  state,
  amountMinor,
  ...row
}: StoredCall & { readonly operation: EffectOperation }): CallResult | undefined {
  const { pspReference, resultMinor, failure } = row;
  switch (state) {
    case 'succeeded':
      // A payment that the gateway does not know needs no void.
      return operation === 'void' && failure
        ? buildResult('absent', 'approve', { failure })
        : buildSuccess(operation, resultMinor ?? amountMinor, { pspReference });
    case 'failed':
      return { ...buildNoEffect(operation), ...(failure && { failure }) };
    case 'declined':
      if (operation === 'void') return undefined;
      return operation === 'capture' && HOLD_GONE.has(failure?.code ?? '')
        ? buildResult('lapsed', 'decline', { failure })
        : buildRefusal(operation, failure ?? undefined);
    case 'started':
    case 'unknown':
      return undefined;
  }
}
