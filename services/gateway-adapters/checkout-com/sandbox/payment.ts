import type { CardBehaviour, CardFace, Conduct, Payment } from '@gp/psp-sandbox/kit';

/** A 3-D Secure challenge that the payer has not completed yet, and what follows when they do. */
export type Challenge = {
  readonly token: string;
  readonly url: string;
  readonly behaviour: CardBehaviour;
  /** How the rest of the attempt is to be carried out. */
  readonly conduct: Conduct;
};

/** The processor's data of a payment beyond the books. */
export type Details = {
  readonly actionId: string;
  readonly card: CardFace;
  readonly behaviour: CardBehaviour;
  readonly paymentType: string;
  readonly captures: 'on_request' | 'at_once';
  readonly response: { readonly code: string; readonly summary: string } | null;
  readonly authCode: string | null;
  readonly processedAt: string | null;
  readonly successUrl: string | null;
  readonly failureUrl: string | null;
  readonly challenge: Challenge | null;
};

export type PaymentB = Payment<Details>;
