import type { CardBehaviour, CardFace, Conduct, Payment } from '@gp/psp-sandbox/kit';

/** Why the last attempt did not end in a hold, as the API reports it. */
export type AttemptError = {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly declineCode: string | null;
  readonly message: string;
};

/** A 3-D Secure challenge that the payer has not completed yet, and what follows when they do. */
export type Challenge = {
  readonly token: string;
  readonly url: string;
  readonly returnUrl: string | null;
  readonly behaviour: CardBehaviour;
  /** How the rest of the attempt is to be carried out. */
  readonly conduct: Conduct;
};

/** gateway_a's data of a payment beyond the books. */
export type Details = {
  readonly clientSecret: string;
  readonly captureMethod: 'manual' | 'automatic' | 'automatic_async';
  readonly applicationFeeMinor: number | null;
  readonly automaticMethods: { readonly allowRedirects: 'always' | 'never' } | null;
  readonly description: string | null;
  readonly receiptEmail: string | null;
  readonly descriptorSuffix: string | null;
  readonly attempts: number;
  readonly chargedAt: number | null;
  readonly card: CardFace | null;
  readonly behaviour: CardBehaviour | null;
  readonly wasChallenged: boolean;
  readonly challenge: Challenge | null;
  readonly lastError: AttemptError | null;
  readonly canceledAt: number | null;
  readonly cancellationReason: string | null;
  /** Set when a dispute was won: the charge stays disputed for ever, and only the dispute says how it ended. */
  readonly hasWonDispute?: true;
};

export type PaymentA = Payment<Details>;

/** Returns seconds since 1970, the API's only time format. */
export const toUnixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/**
 * Returns the id of the latest charge: every attempt is a charge, whose id contains the payment and the attempt's
 * number.
 */
export const buildChargeId = ({ pspReference, details }: PaymentA): string =>
  `${pspReference.replace(/^pi_/, 'ch_')}${String(details.attempts).padStart(2, '0')}`;

/** Returns whether the newest charge has or had a dispute. */
export const wasDisputed = ({ isDisputed, details }: PaymentA): boolean =>
  isDisputed || details.hasWonDispute === true;

/** Returns the payment of a charge id; undefined when the id has another shape. */
export function parseChargeIntentId(chargeId: string): string | undefined {
  const match = /^ch_([0-9a-f]{32})\d{2,}$/.exec(chargeId);
  return match ? `pi_${match[1]}` : undefined;
}

export const buildPaymentMethodId = (payment: PaymentA): string =>
  buildChargeId(payment).replace(/^ch_/, 'pm_');
