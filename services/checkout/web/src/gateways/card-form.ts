import type { publicApi } from '@gp/contracts';
import type { Failure } from '../net/failure.ts';
import type { Reason } from '../net/next-step.ts';

/** A payment that was started with one gateway: what its card form needs. */
export type StartedBy<Code extends publicApi.PayResponse['psp_code']> = Extract<
  publicApi.PayResponse,
  { psp_code: Code }
>;

/** How a try with a card ended, as far as the page can know. Only the server's word that it is held counts. */
export type CardOutcome =
  | { readonly kind: 'held' }
  /** The bank said no, or the payer did. The shares are free again. */
  | { readonly kind: 'refused'; readonly reason: Reason }
  /** Nothing was sent: something is missing or mistyped, and the form says what. */
  | { readonly kind: 'incomplete' }
  /** It may have happened: the server must be asked. */
  | { readonly kind: 'unknown' }
  /** The API said no to the card it was sent. */
  | { readonly kind: 'failure'; readonly failure: Failure };

/** What a card form is drawn with: the page's own colours and words. */
export type CardLooks = {
  readonly locale: string;
  readonly style: Readonly<
    Record<'color' | 'background' | 'placeholder' | 'danger' | 'accent' | 'font', string>
  >;
  readonly isDark: boolean;
};

/** A gateway's own card fields, in a place of the page that it alone may write to. */
export type CardForm = {
  /** Puts the fields there and resolves when they can be typed in; rejects when they cannot be had. */
  mount(place: HTMLElement, looks: CardLooks): Promise<void>;
  /** Sends the card for this payment. Does not reject. */
  submit(payment: publicApi.PayResponse, holder: string): Promise<CardOutcome>;
  focus(): void;
  unmount(): void;
};
