import type { publicApi } from '@gp/contracts';
import type { CardGateway } from '../bootstrap.ts';
import type { Failure } from '../net/failure.ts';
import type { Reason } from '../net/next-step.ts';

export type PayResponse = publicApi.PayResponse;

/** The response to a payment started with one gateway: the data its card form needs. */
export type StartedBy<Code extends PayResponse['psp_code']> = Extract<PayResponse, { psp_code: Code }>;

/** The result of a try with a card, as far as the page can know. Only the server confirms that it is held. */
export type CardOutcome =
  | { readonly kind: 'held' }
  /** The bank declined, or the payer cancelled. The shares are free again. `why`: the reason from the bank; the page shows some reasons only. */
  | { readonly kind: 'refused'; readonly reason: Reason; readonly why?: string | undefined }
  /** Nothing was sent: a field is missing or mistyped, and the form says which; or the fields do not answer. */
  | { readonly kind: 'unsent'; readonly reason: Extract<Reason, 'cardIncomplete' | 'fieldAway'> }
  /** The card asks for 3-D Secure: the payer has to go to the bank's page. */
  | { readonly kind: 'challenged'; readonly url: string }
  /** It may have happened: the page must ask the server. */
  | { readonly kind: 'unknown' }
  /** The API refused the card it was sent. */
  | { readonly kind: 'failure'; readonly failure: Failure };

/** The page's own colours and texts, with which a card form is drawn. */
export type CardLooks = {
  readonly locale: string;
  readonly style: Readonly<
    Record<'color' | 'background' | 'placeholder' | 'danger' | 'accent' | 'font', string>
  >;
  readonly isDark: boolean;
};

/** Sends what a payer agreed to for this payment. Does not reject. `holder`: the name that the payer entered. */
export type Submit = (payment: PayResponse, holder: string) => Promise<CardOutcome>;

/** Pays as the card's button does, once at a time: `submit` is called with the payment, unless there is none. */
export type Pay = (submit: Submit) => Promise<void>;

/** A gateway's own card fields, in an element of the page that only they may change. */
export type CardForm = {
  /**
   * Puts the buttons of the device's wallets into `place`, an empty element of the page's form that takes no room, and
   * gives it the class `express` when there are any. A wallet opens only while the form is valid. Does not reject:
   * the card fields do without.
   */
  mountExpress?(place: HTMLElement, looks: CardLooks, pay: Pay): Promise<void>;
  /** Shows the fields and resolves when the payer can type in them; rejects when they cannot be loaded. */
  mount(place: HTMLElement, looks: CardLooks): Promise<void>;
  /** Sends the card for this payment. Does not reject. */
  readonly submit: Submit;
  unmount(): void;
};

/** Confirms a payment with an encrypted card; an aborted `signal` ends the tries. Does not reject. */
export type ConfirmCard = (request: publicApi.ConfirmRequest, signal: AbortSignal) => Promise<CardOutcome>;

/** The dependencies of a card form. */
export type CardFormParts = {
  readonly gateway: CardGateway;
  /** The payment that was just started. A later one of the same gateway may be submitted. */
  readonly payment: PayResponse;
  /** Sends an encrypted card to our API; only for the flow `server_confirm`. */
  readonly confirmCard: ConfirmCard;
  /** Loads a gateway's script once; rejects when it cannot be loaded. */
  readonly loadScript: (src: string) => Promise<void>;
};
/** The `openCardForm` of the `page/card-form.ts` of a gateway. Throws for another gateway's payment. */
export type OpenCardForm = (parts: CardFormParts) => CardForm;
