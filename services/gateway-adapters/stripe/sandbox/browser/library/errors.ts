/** A payment intent as the gateway's API shows it to a browser. */
export type Intent = {
  readonly id: string;
  readonly client_secret: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly capture_method: string;
  readonly next_action: {
    readonly redirect_to_url?: { readonly url: string; readonly return_url: string | null };
  } | null;
  readonly last_payment_error: StripeError | null;
};

export type StripeError = {
  readonly type: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly message?: string;
  readonly payment_intent?: Intent;
};

/** The result of every promise of the library: it does not reject for anything that may happen to a payment. */
export type Result =
  | { readonly paymentIntent: Intent; readonly error?: undefined }
  | { readonly error: StripeError; readonly paymentIntent?: undefined };

/** A mistake in the page that uses the library, thrown where it is made. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}

export const CONNECTION_ERROR: StripeError = {
  type: 'api_connection_error',
  message: 'The connection to the gateway was lost. Check whether the payment was made before another try.',
};

/** Returns the result of an intent for the page: done, or the reason of the failure. */
export function toConfirmResult(intent: Intent): Result {
  const { status, last_payment_error: refused } = intent;
  if (status === 'requires_payment_method' && refused)
    return { error: { ...refused, payment_intent: intent } };
  if (status !== 'requires_action') return { paymentIntent: intent };
  const message = 'The card holder was not authenticated.';
  const code = 'payment_intent_authentication_failure';
  return { error: { type: 'invalid_request_error', code, message, payment_intent: intent } };
}
