/** The used parts of the vendor's browser library, whose interface we cannot change. */

export type CardElement = {
  mount(place: HTMLElement): void;
  on(event: 'ready' | 'change' | 'loaderror', listener: (event: { complete?: boolean }) => void): void;
  destroy(): void;
};

/** The buttons of wallets. `ready` names those that the device has, `confirm` follows the payer's consent in the wallet. */
export type ExpressElement = {
  mount(place: HTMLElement): void;
  on(
    event: 'ready',
    listener: (event: { availablePaymentMethods?: Readonly<Record<string, boolean>> | undefined }) => void,
  ): void;
  /** The wallet opens when `resolve` is called within a second, and otherwise not. */
  on(event: 'click', listener: (event: { resolve(): void }) => void): void;
  on(event: 'confirm', listener: (event: { paymentFailed(details: { reason: 'fail' }): void }) => void): void;
  destroy(): void;
};

export type StripeError = { type?: string; code?: string; decline_code?: string; message?: string };
export type StripeResult = {
  paymentIntent?: { status: string; amount: number; currency: string };
  error?: StripeError;
};

/** Elements of a payment that is named only when it is confirmed; what is said of it here must then be true of it. */
export type DeferredOptions = {
  locale: string;
  mode: 'payment';
  amount: number;
  currency: string;
  captureMethod: 'manual';
  allowedPaymentMethodTypes: readonly string[];
};
export type DeferredElements = {
  create(type: 'expressCheckout', options: Record<string, unknown>): ExpressElement;
  submit(): Promise<{ error?: StripeError }>;
};

export type Stripe = {
  elements(options: DeferredOptions): DeferredElements;
  elements(options: { locale: string }): {
    create(type: 'card', options: Record<string, unknown>): CardElement;
  };
  confirmCardPayment(
    clientSecret: string,
    data: { payment_method: { card: CardElement; billing_details: { name?: string } } },
  ): Promise<StripeResult>;
  confirmPayment(o: {
    elements: DeferredElements;
    clientSecret: string;
    confirmParams: { payment_method_data: { billing_details: { name?: string } } };
    redirect: 'if_required';
  }): Promise<StripeResult>;
  retrievePaymentIntent(clientSecret: string): Promise<StripeResult>;
};
export type StripeFactory = (publishableKey: string, options: { stripeAccount: string }) => Stripe;
