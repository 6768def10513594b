import type { Failure, Outcome } from '@gp/contracts';
import type { AttemptOperation } from './attempt.ts';
import type { AttemptTrigger } from './attempt.machine.ts';
import type { Effect } from './effect.ts';
import { failureOf } from './failure.ts';
import type { Answer, EffectOperation } from './payment.ts';

/** What is recorded of a call and told to the ledger. */
export type Verdict = {
  readonly status: Outcome['status'];
  /** What happens to the row; null where the gateway has not decided yet. */
  readonly trigger: AttemptTrigger | null;
  readonly pspReference: string | null;
  readonly amountMinor: bigint | null;
  /** Null: the currency that was asked for. */
  readonly currency: string | null;
  readonly captureBefore: Date | null;
  readonly failure: Failure | null;
};

const DONE = { authorise: 'authorised', capture: 'captured', void: 'voided', refund: 'refunded' } as const;
type Told = keyof typeof DONE;

export function verdict(
  status: Verdict['status'],
  trigger: Verdict['trigger'],
  more: Partial<Verdict> = {},
): Verdict {
  const nothing = {
    pspReference: null,
    amountMinor: null,
    currency: null,
    captureBefore: null,
    failure: null,
  };
  return { ...nothing, ...more, status, trigger };
}

/** The success of an operation, in the ledger's word for it. */
export function done(operation: Told, amountMinor: bigint, more: Partial<Verdict> = {}): Verdict {
  return verdict(DONE[operation], 'approve', { ...more, amountMinor });
}

/** An answer whose meaning is final or unknown; `accepted` and `conflict` need a look at the gateway first. */
export type Conclusive = Exclude<Answer, { kind: 'accepted' | 'conflict' }>;

/** What an answer means for its operation. An answer that may hide an effect is never more than `unknown`. */
export function verdictOfAnswer(
  operation: Exclude<AttemptOperation, 'prepare'>,
  answer: Conclusive,
): Verdict {
  switch (answer.kind) {
    case 'approved': {
      const { pspReference, currency, captureBefore } = answer;
      return done(operation, answer.amountMinor, { pspReference, currency, captureBefore });
    }
    case 'authenticating':
      return verdict('authenticating', null, { pspReference: answer.pspReference });
    case 'declined':
      return refused(operation, answer.failure, answer.pspReference);
    case 'unknown':
      return verdict('unknown', 'doubt');
    case 'retryable':
      return nothingDone(operation);
  }
}

/** What the gateway's own books mean for an operation. `absent` here means: nothing was done, and we may send. */
export function verdictOfEffect(
  operation: EffectOperation,
  effect: Exclude<Effect, { is: 'absent' }>,
): Verdict {
  switch (effect.is) {
    case 'present':
      return done(operation, effect.amountMinor);
    case 'pending':
      return verdict('unknown', 'doubt');
    case 'lapsed':
      return verdict('lapsed', 'decline', { failure: failureOf('hold_gone') });
    case 'captured':
      return verdict('captured', 'decline', {
        amountMinor: effect.amountMinor,
        failure: failureOf('already_captured'),
      });
    case 'refused':
      return refused(operation, effect.failure);
  }
}

/** It certainly did not happen, and may be tried again under the next seq. */
export function nothingDone(operation: Told): Verdict {
  const failure = failureOf('gateway_unavailable');
  return verdict(operation === 'authorise' ? 'absent' : 'retryable', 'fail', { failure });
}

/** The gateway's definite refusal. */
export function refused(
  operation: Told,
  failure: Failure = failureOf('gateway_refused'),
  pspReference: string | null = null,
): Verdict {
  // A hold must be given back whatever the gateway thinks of it today: a refused void is tried again.
  if (operation === 'void') return verdict('retryable', 'fail', { failure });
  const status = operation === 'authorise' ? 'declined' : 'failed';
  return verdict(status, 'decline', { pspReference, failure });
}
