import type { beginConfirmation, confirmIntent, RequestOf, ResponseOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { ServiceCalls } from '../ports.ts';

/** Longer than the 25 s a confirm waits for another try in flight, shorter than the timeouts of load balancers. */
const PATIENCE_MS = 28_000;

type Begin = RequestOf<typeof beginConfirmation>;
type Card = RequestOf<ReturnType<typeof confirmIntent>>['card'];
type Confirmed = ResponseOf<ReturnType<typeof confirmIntent>>;

/**
 * Authorises a payment with the payer's card; resolves when the amount is held, at once when it was held before
 * (Q13), or with the page of the bank where the payer is awaited. The card goes only to the adapter. Once the adapter
 * has been called, a missing reply is an unknown outcome and never a failure: the amount may be held. `deadline` is epoch ms.
 */
export function confirmPayment(
  services: ServiceCalls,
): (begin: Begin, card: Card, deadline?: number) => Promise<Confirmed> {
  return async (begin, card, deadline = Date.now() + PATIENCE_MS) => {
    const begun = await services.beginConfirmation(begin, deadline);
    if (begun.status === 'held') return { status: 'preauthorised' };
    const { ticket } = begun;
    return services.confirmIntent({ ticket, card }, deadline).catch((cause: unknown) => {
      throw unanswered(cause);
    });
  };
}

function unanswered(cause: unknown): unknown {
  const code = cause instanceof AppError ? cause.code : 'internal_error';
  if (code === 'deadline_exceeded' || code === 'internal_error')
    return new AppError('outcome_unknown', {}, { cause });
  // The adapter did not receive the card: the payer sees an unavailable gateway.
  if (code === 'service_unavailable') return new AppError('gateway_unavailable', {}, { cause });
  return cause;
}
