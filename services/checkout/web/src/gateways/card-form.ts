import type { publicApi } from '@gp/contracts';
import type { CardGateway } from '../bootstrap.ts';
import type { Failure } from '../net/failure.ts';
import type { Reason } from '../net/next-step.ts';

export type PayResponse = publicApi.PayResponse;

/** A payment that was started with one gateway: what its card form needs. */
export type StartedBy<Code extends PayResponse['psp_code']> = Extract<PayResponse, { psp_code: Code }>;

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
  submit(payment: PayResponse, holder: string): Promise<CardOutcome>;
  focus(): void;
  unmount(): void;
};

/** Confirms a payment with an encrypted card; an aborted `signal` ends the tries. Does not reject. */
export type ConfirmCard = (request: publicApi.ConfirmRequest, signal: AbortSignal) => Promise<CardOutcome>;

/** What a card form is opened with. */
export type CardFormParts = {
  readonly gateway: CardGateway;
  /** The payment that was just started. A later one of the same gateway may be submitted. */
  readonly payment: PayResponse;
  /** Takes an encrypted card to our API; only for the flow `server_confirm`. */
  readonly confirmCard: ConfirmCard;
};
/** What `page/card-form.ts` of a gateway's folder exports as `openCardForm`. Throws for another gateway's payment. */
export type OpenCardForm = (parts: CardFormParts) => CardForm;
