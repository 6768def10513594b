import type { CardBehaviour, CardFace, Conduct, Payment } from '@gp/psp-sandbox/kit';
import type { Version } from './signature.ts';

/** A 3-D Secure challenge that the payer has not completed yet, and what follows when they do. */
export type Challenge = {
  readonly behaviour: CardBehaviour;
  /** How the rest of the attempt is to be carried out. */
  readonly conduct: Conduct;
};

/** The bank's data of an order beyond the books. */
export type Details = {
  readonly terminal: string;
  /** The merchant's name, for the bank's pages. */
  readonly shop?: string;
  readonly version: Version;
  /** Authorises a browser to continue the order on the bank's pages. */
  readonly token: string;
  readonly notifyUrl: string | null;
  readonly urlOk: string | null;
  readonly urlKo: string | null;
  readonly merchantData: string;
  readonly card: CardFace | null;
  readonly challenge: Challenge | null;
  /** Ds_Response of the authorisation; null before the payer has acted. */
  readonly response: string | null;
  readonly authCode: string | null;
  /** ISO instant of that response. */
  readonly answeredAt: string | null;
};

export type PaymentC = Payment<Details>;

/** The bank's pages wait this long for the payer. */
export const SESSION_MS = 30 * 60 * 1000;

export const isSessionOver = ({ createdAt }: PaymentC, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > SESSION_MS;

/** Returns whether the order can still be paid: it has no result yet. */
export const isOpen = ({ status, details }: PaymentC): boolean =>
  status === 'created' && details.response === null;
