import type { CaptureMinimum, Mode } from '@gp/contracts';
import type { Support } from './support.ts';

/**
 * What became of a payment, as its payer is told; `part_refunded` and `refunded` are charged ones, and of an `unfinished` one
 * nothing was ever held.
 */
export type Fate =
  | 'unfinished'
  | 'pending'
  | 'held'
  | 'charged'
  | 'capture_failed'
  | 'released'
  | 'part_refunded'
  | 'refunded';

/**
 * One payment as its payer may see it in a mail and on the page behind the mail's link: no address, no name, no card. `L` are the
 * locales of the page.
 */
export type OwnPaymentIn<L> = {
  readonly id: string;
  readonly mode: Mode;
  readonly locale: L;
  /** How amounts and dates are written, as in the bootstrap. */
  readonly written_as: string;
  /** The payer's time zone, by its IANA name; UTC where it is not known. */
  readonly time_zone: string;
  readonly payee: string | null;
  readonly brand_color: string | null;
  /** Whom the payer may ask; absent where the merchant names nobody. */
  readonly support?: Support;
  readonly fate: Fate;
  /** Minor units as decimal digits. */
  readonly amount_minor: string;
  /** The part of the amount that the payer added to the slots; absent where that is nothing. */
  readonly tip_minor?: string;
  readonly refunded_minor: string;
  readonly currency: string;
  readonly fraction_digits: number;
  /** When it was started, ISO 8601. */
  readonly at: string;
  readonly slots: readonly { readonly sequence_no: number; readonly label?: string }[];
  readonly group: {
    readonly name: string;
    readonly order_id: string;
    readonly expires_at: string;
    /** From what is held on it is captured when time runs out; absent where everything is released then. */
    readonly capture_minimum?: CaptureMinimum;
    /** How it came to nothing: its time ran out, or it was cancelled; absent otherwise. */
    readonly ended?: 'expired' | 'cancelled';
    /** Slots that are not secured yet. */
    readonly missing: number;
  };
};

export type MailKind = 'held' | 'charged' | 'released' | 'refunded' | 'reminder' | 'organiser_reminder';

/** What a mail is written from. `page`: the page of the payment, which has the control that ends these mails. */
export type MailWishIn<L> = {
  readonly kind: MailKind;
  readonly payment: OwnPaymentIn<L>;
  readonly page: string;
};

export type WrittenMail = { readonly subject: string; readonly text: string; readonly html: string };
