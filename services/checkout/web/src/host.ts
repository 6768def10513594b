/** A colour as merchants give it: `#rgb` or `#rrggbb`. Whoever uses it corrects its contrast first. */
export type Theme = { readonly accentColor?: string | undefined };

/** The signed form of the flow `redirect`, which the browser must bring to the bank at top level. */
export type BankForm = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** A group payment as `GET /v1/group-payments/{id}` shows it to a session token. */
export type CompletedGroup = { readonly id: string; readonly state: string } & Readonly<
  Record<string, unknown>
>;

export type HostError = { readonly message: string; readonly code?: string };

/**
 * What surrounds the payment form: the hosted page, or a merchant's page with the widget's frame in it. The form asks its
 * host for what only that one knows, and tells it what happened; it never looks at the window around it.
 */
export type Host = {
  readonly kind: 'page' | 'widget';
  readonly groupPaymentId: string;
  /** The session token to send now. */
  token(): string;
  /**
   * Gets a new token after one was refused with a 401; several callers at once share one. Nothing else of the form
   * changes. Rejects when there is none to be had: the form then offers to try again.
   */
  refreshToken(refused: string): Promise<string>;
  /** The payer's address, where the merchant knows it: the form fills it in. */
  readonly payerEmail?: string;
  /** To be called once for each payment of this payer that is held, a payer who is back from the bank included. */
  onComplete(group: CompletedGroup): void;
  /** To be called for each failed try to pay and for whatever keeps the form from working. */
  onError(error: HostError): void;
  /**
   * Leaves for the bank. What must survive (selection, idempotency key, payment intent) is in sessionStorage by then.
   * Rejects when the address is no bank's; otherwise the page goes away.
   */
  navigateTop(form: BankForm, payment: { readonly paymentIntentId: string }): Promise<void>;
};
