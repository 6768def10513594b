/**
 * Types of the widget's script, `{checkout}/widget/v1.js`. The script defines one global, `ServiceGroupPay`.
 *
 *   const handle = ServiceGroupPay({ createSession: () => askMyBackend() }).mount('#pay');
 */

/** What your backend answers: the token and the id from `POST /v1/group-payments/{id}/session`. */
export interface Session {
  token: string;
  groupPaymentId: string;
}

/** The group payment as its payers may see it, after the payer's own payment is held. */
export interface CompletedGroup {
  id: string;
  /** `partially_preauthorised` until everybody has paid; then it goes on to `paid` by itself. */
  state: string;
  [field: string]: unknown;
}

/** What went wrong, in words that may be shown. */
export interface GroupPayError extends Error {
  /** A name of the reason for programs, e.g. `declined`, where there is one. */
  code?: string | undefined;
}

/**
 * How the form looks. A wrong `accentColor` is a TypeError; a wrong value of the others is named in an error on the console,
 * and the form is shown without it. Nothing is loaded for any of them.
 */
export interface Theme {
  /** `#rgb` or `#rrggbb`. Made darker or lighter where text on it could not be read. */
  accentColor?: string | undefined;
  /**
   * Without it the scheme of the payer's device. `auto` is the one that the page's `color-scheme` declares around the form, and
   * the device's where the page declares none or both.
   */
  colorScheme?: 'light' | 'dark' | 'auto' | undefined;
  /**
   * `#rgb`, `#rrggbb`, `rgb(246, 241, 231)`, `white`, `black`, `ivory` or `navy`. It decides, instead of `colorScheme`, whether
   * texts are dark or light; they and the accent are corrected until they can be read on it.
   */
  background?: string | undefined;
  /** How round corners are: whole CSS pixels, 0 to 24. */
  radius?: number | undefined;
  /** Families of the payer's device; `system` is what the form has without this option. */
  font?: 'system' | 'sans-serif' | 'serif' | 'monospace' | 'rounded' | undefined;
}

export interface Options {
  /** Asks your own backend for a session. Called at first, and again whenever the token has ended. */
  createSession: () => Promise<Session>;
  /** The payer's address, where you know it. */
  payerEmail?: string | undefined;
  /**
   * The language of the form, such as `nl` or `en-GB`; without it the browser's. One that the form does not have is
   * named in a warning on the console, and the browser's language is used.
   */
  locale?: string | undefined;
  theme?: Theme | undefined;
  /** Called once, when the server has accepted the session and the form is about to show. */
  onReady?: () => void;
  /** Called once for each payment that is held. Ship on the webhook `group_payment.paid`, not on this. */
  onComplete?: (group: CompletedGroup) => void;
  /** Called for each failed try to pay, and for whatever keeps the form from working. */
  onError?: (error: GroupPayError) => void;
}

export interface Handle {
  /** Takes the form away. May be called twice; afterwards the element can be mounted again. */
  unmount(): void;
}

export interface Widget {
  /**
   * Puts the payment form into an element, given itself or by a selector. Throws when there is no such element, or when it
   * has a form already. The element emits `service:ready`, `service:complete` and `service:error`.
   */
  mount(target: string | Element): Handle;
}

/** Throws a TypeError that names the option which is not as described. */
export type Factory = (options: Options) => Widget;

declare global {
  interface Window {
    ServiceGroupPay: Factory;
  }
  /** The same, for scripts that do not write `window`. */
  const ServiceGroupPay: Factory;

  interface HTMLElementEventMap {
    'service:ready': CustomEvent<null>;
    'service:complete': CustomEvent<CompletedGroup>;
    'service:error': CustomEvent<{ message: string; code?: string | undefined }>;
  }
}
