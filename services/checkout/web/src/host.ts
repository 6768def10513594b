/** A colour from a merchant: `#rgb` or `#rrggbb`. Code that uses it corrects its contrast first. */
export type Theme = { readonly accentColor?: string | undefined };

/** The signed form of the flow `redirect`, which the browser must send to the bank at top level. */
export type BankForm = { readonly url: string; readonly fields: Readonly<Record<string, string>> };

/** A group payment as `GET /v1/group-payments/{id}` shows it to a session token. */
export type CompletedGroup = { readonly id: string; readonly state: string } & Readonly<
  Record<string, unknown>
>;

export type HostError = { readonly message: string; readonly code?: string };

/**
 * The environment of the payment form: the hosted page, or a merchant's page with the widget's frame in it. The
 * form gets from its host what only the host knows, and reports events to it; it never uses the window around it.
 */
export type Host = {
  readonly kind: 'page' | 'widget';
  readonly groupPaymentId: string;
  /** Returns the session token to send now. */
  token(): string;
  /**
   * Gets a new token after one was refused with a 401; concurrent callers share one. Nothing else of the form
   * changes. Rejects when there is none: the form then offers to try again.
   */
  refreshToken(refused: string): Promise<string>;
  /** The payer's address, when the merchant knows it: the form fills it in. */
  readonly payerEmail?: string;
  /** Returns the page to which the bank sends the payer of a payment back, when a card asks for 3-D Secure. */
  returnUrl(paymentIntentId: string): string;
  /** Called once for each payment of this payer that is held, also for a payer who has returned from the bank. */
  onComplete(group: CompletedGroup): void;
  /** Called for each failed try to pay and for every error that stops the form. */
  onError(error: HostError): void;
  /**
   * Leaves for the bank's page. Selection, idempotency key and payment intent are in sessionStorage by then, so they
   * survive. Rejects when the address is no bank's; otherwise the page is unloaded.
   */
  navigateTop(form: BankForm, payment: { readonly paymentIntentId: string }): Promise<void>;
};
