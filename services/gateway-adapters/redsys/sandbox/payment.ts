import type { CardBehaviour, CardFace, Conduct, Payment } from '@gp/psp-sandbox/kit';
import type { Version } from './signature.ts';

/** A 3-D Secure question the payer has not answered yet, and what follows when he does. */
export type Challenge = {
  readonly behaviour: CardBehaviour;
  /** How the rest of the attempt is to be carried out. */
  readonly conduct: Conduct;
};

/** What the bank remembers of an order beyond the books. */
export type Details = {
  readonly terminal: string;
  readonly version: Version;
  /** Lets a browser go on with the order on the bank's pages. */
  readonly token: string;
  readonly notifyUrl: string | null;
  readonly urlOk: string | null;
  readonly urlKo: string | null;
  readonly merchantData: string;
  readonly card: CardFace | null;
  readonly challenge: Challenge | null;
  /** Ds_Response of the authorisation; null while nobody was asked. */
  readonly response: string | null;
  readonly authCode: string | null;
  /** ISO instant of that answer. */
  readonly answeredAt: string | null;
};

export type PaymentC = Payment<Details>;

/** The bank's pages wait this long for the payer. */
export const SESSION_MS = 30 * 60 * 1000;

export const isSessionOver = ({ createdAt }: PaymentC, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > SESSION_MS;

/** The order can still be paid: nobody has answered yet. */
export const isOpen = ({ status, details }: PaymentC): boolean =>
  status === 'created' && details.response === null;
