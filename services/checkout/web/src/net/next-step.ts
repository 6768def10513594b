import type { ToldDeclineReason } from '../bootstrap.ts';
import { backoffMs } from './backoff.ts';
import type { Failure } from './failure.ts';

/** The reasons why a payment cannot continue, each with a sentence on the page. */
export type Reason =
  | 'declined'
  | ToldDeclineReason
  | 'authenticationFailed'
  | 'tooManyDeclines'
  | 'slotTaken'
  | 'noGateway'
  | 'amountTooSmall'
  | 'amountTooLarge'
  | 'currencyUnsupported'
  | 'gatewayAway'
  | 'badEmail'
  | 'cardIncomplete'
  | 'fieldAway'
  | 'bankLeft'
  | 'sessionGone'
  | 'unexpected';

/** The page's reaction to a failure. Every failure has one. */
export type NextStep =
  /** Send the very same request again, with the same Idempotency-Key: it may have been executed. */
  | { readonly do: 'repeat'; readonly afterMs: number; readonly because: 'offline' | 'away' | 'limited' }
  /** Offer another try with the same shares; the payer decides when. */
  | { readonly do: 'try_again'; readonly reason: Reason }
  /** Let the payer choose shares again. */
  | { readonly do: 'choose'; readonly reason: Reason }
  /** Read the status until it is final. */
  | { readonly do: 'ask' }
  /** The group takes no more payments: read it again. */
  | { readonly do: 'look' };

const tryAgain = (reason: Reason): NextStep => ({ do: 'try_again', reason });
const choose = (reason: Reason): NextStep => ({ do: 'choose', reason });

/** Decides what follows a failed request to pay or confirm; `failures` counts those in a row without an answer. */
export function nextStep(failure: Failure, failures: number, random: () => number = Math.random): NextStep {
  if (failure.kind === 'unanswered')
    return { do: 'repeat', afterMs: backoffMs(failures, random), because: 'offline' };
  const pauseMs = (failure.retryAfterSeconds ?? 0) * 1_000;
  switch (failure.code) {
    case 'card_declined':
      return tryAgain('declined');
    case 'authentication_required':
      return tryAgain('authenticationFailed');
    case 'too_many_declines':
      return tryAgain('tooManyDeclines');
    case 'slot_no_longer_available':
    case 'no_payable_slots':
    case 'invalid_slot_ids':
      return choose('slotTaken');
    case 'no_active_gateway':
      return choose('noGateway');
    case 'amount_below_gateway_minimum':
      return choose('amountTooSmall');
    case 'amount_above_gateway_maximum':
      return choose('amountTooLarge');
    case 'currency_not_supported_by_gateway':
      return choose('currencyUnsupported');
    case 'validation_error':
      return choose('badEmail');
    case 'group_expired':
    case 'group_not_payable':
    case 'conflict':
      return { do: 'look' };
    case 'outcome_unknown':
      return { do: 'ask' };
    case 'rate_limited':
      return { do: 'repeat', afterMs: Math.max(1_000, pauseMs), because: 'limited' };
    case 'idempotency_key_in_use':
      return { do: 'repeat', afterMs: Math.max(1_000, pauseMs), because: 'away' };
    case 'gateway_unavailable':
    case 'gateway_error':
      return tryAgain('gatewayAway');
    case 'unauthorized':
      return tryAgain('sessionGone');
    case 'insufficient_scope':
      return { do: 'look' };
    default:
      return failure.status >= 500
        ? { do: 'repeat', afterMs: Math.max(pauseMs, backoffMs(failures, random)), because: 'away' }
        : tryAgain('unexpected');
  }
}
