import { ApiFailure, NoAnswer, PasskeyFault } from './failure.ts';
import { readMessage } from './field-words.ts';

/** An error as shown to a person: what happened, and what to do now. */
export type Explanation = {
  readonly title: string;
  readonly nextStep: string;
  /** Identifies the request to support; absent when no response came from the server. */
  readonly requestId?: string;
};

/**
 * The next step by error code. Codes without a line here are explained by their message and the advice of their
 * status.
 */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  insufficient_scope: 'Ask an owner or admin of your team to do this, or to change your role.',
  not_found: 'It may have been deleted, or belong to the other mode. Look for it in the list.',
  no_active_gateway: 'Connect a payment gateway for this mode, then try again.',
  nothing_to_refund: 'Everything that was captured has already been given back.',
  slots_not_captured: 'Choose slots whose money was captured.',
  idempotency_key_in_use: 'The first attempt is still running. Wait a moment and look at the result.',
  outcome_unknown: 'It is being verified with the gateway. Wait a moment and look at the result.',
  gateway_unavailable: 'The gateway does not answer at the moment. Try again shortly.',
  validation_error: 'Correct what is marked and send it again.',
};

/** Explains an error in words of the interface. */
export function explain(error: unknown): Explanation {
  if (error instanceof NoAnswer || isUnloadedCode(error))
    return {
      title: 'The server could not be reached',
      nextStep: 'Check your connection and try again. An action you started is not done twice.',
    };
  if (error instanceof PasskeyFault)
    return { title: error.message, nextStep: 'You can always go on with your password.' };
  if (!(error instanceof ApiFailure))
    return {
      title: 'This page ran into a fault',
      nextStep: 'Load it again. If it stays, tell support what you did.',
    };
  return {
    title: sentence(error.message),
    nextStep: NEXT_STEPS[error.code] ?? chooseAdvice(error.status),
    ...(error.requestId !== undefined && { requestId: error.requestId }),
  };
}

/**
 * Returns whether code of the page could not be loaded: the connection is gone, or a newer release has taken its place. Chromium,
 * Firefox and Safari say so in these words, and the build for a style sheet.
 */
function isUnloadedCode(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message)
  );
}

function chooseAdvice(status: number): string {
  if (status === 429) return 'Wait a little, then try again.';
  if (status >= 500) return 'Try again in a moment. If it stays, give support the request id.';
  if (status === 409) return 'Load the page again to see how things stand now.';
  return 'Check what you entered and try again.';
}

/** `Validation error: number_of_slots: must …` → `Slots: must …`; `already expired` → `Already expired`. */
function sentence(message: string): string {
  const { field, reason } = readMessage(message);
  const text = field === undefined ? reason : `${field}: ${reason}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
