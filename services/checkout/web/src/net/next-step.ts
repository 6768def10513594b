import type { ToldDeclineReason } from '../bootstrap.ts';
import { backoffMs } from './backoff.ts';
import type { Failure, Refused } from './failure.ts';

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
  | 'badTip'
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

const LOOK: NextStep = { do: 'look' };
const TAKEN = choose('slotTaken');
const AWAY = tryAgain('gatewayAway');

/** What follows a refusal with one of these codes, whatever else it says. */
const steps: Readonly<Partial<Record<Refused['code'], NextStep>>> = {
  card_declined: tryAgain('declined'),
  authentication_required: tryAgain('authenticationFailed'),
  too_many_declines: tryAgain('tooManyDeclines'),
  slot_no_longer_available: TAKEN,
  no_payable_slots: TAKEN,
  invalid_slot_ids: TAKEN,
  no_active_gateway: choose('noGateway'),
  amount_below_gateway_minimum: choose('amountTooSmall'),
  amount_above_gateway_maximum: choose('amountTooLarge'),
  currency_not_supported_by_gateway: choose('currencyUnsupported'),
  validation_error: choose('badEmail'),
  group_expired: LOOK,
  group_not_payable: LOOK,
  conflict: LOOK,
  insufficient_scope: LOOK,
  outcome_unknown: { do: 'ask' },
  gateway_unavailable: AWAY,
  gateway_error: AWAY,
  unauthorized: tryAgain('sessionGone'),
};

/** Decides what follows a failed request to pay or confirm; `failures` counts those in a row without an answer. */
export function nextStep(failure: Failure, failures: number, random: () => number = Math.random): NextStep {
  if (failure.kind === 'unanswered')
    return { do: 'repeat', afterMs: backoffMs(failures, random), because: 'offline' };
  const { code, status, retryAfterSeconds = 0 } = failure;
  const pauseMs = retryAfterSeconds * 1_000;
  const isLimited = code === 'rate_limited';
  if (isLimited || code === 'idempotency_key_in_use')
    return { do: 'repeat', afterMs: Math.max(1_000, pauseMs), because: isLimited ? 'limited' : 'away' };
  const known = failure.param === 'tip' ? choose('badTip') : steps[code];
  if (known) return known;
  return status >= 500
    ? { do: 'repeat', afterMs: Math.max(pauseMs, backoffMs(failures, random)), because: 'away' }
    : tryAgain('unexpected');
}
