import type { CardBehaviour, CardFace, Conduct, Payment } from '@gp/psp-sandbox/kit';

/** Why the last attempt did not end in a hold, as the wire tells it. */
export type AttemptError = {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly declineCode: string | null;
  readonly message: string;
};

/** A 3-D Secure question the payer has not answered yet, and what follows when he does. */
export type Challenge = {
  readonly token: string;
  readonly url: string;
  readonly returnUrl: string | null;
  readonly behaviour: CardBehaviour;
  /** How the rest of the attempt is to be carried out. */
  readonly conduct: Conduct;
};

/** What gateway_a remembers of a payment beyond the books. */
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
};

export type PaymentA = Payment<Details>;

/** Seconds since 1970, the wire's only clock. */
export const unixOf = (at: Date): number => Math.floor(at.getTime() / 1000);

/** Every attempt is a charge of its own; its id tells whose and which it is. */
export const chargeIdOf = ({ pspReference, details }: PaymentA): string =>
  `${pspReference.replace(/^pi_/, 'ch_')}${String(details.attempts).padStart(2, '0')}`;

/** The payment a charge id belongs to; undefined when the id has another shape. */
export function intentIdOfCharge(chargeId: string): string | undefined {
  const match = /^ch_([0-9a-f]{32})\d{2,}$/.exec(chargeId);
  return match ? `pi_${match[1]}` : undefined;
}

export const paymentMethodIdOf = (payment: PaymentA): string => chargeIdOf(payment).replace(/^ch_/, 'pm_');
