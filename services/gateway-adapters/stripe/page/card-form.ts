import type { CardForm, CardFormParts, CardLooks, CardOutcome } from '@gp/checkout-web/gateways';

/** The used part of the gateway's browser library, whose interface we cannot change. */
type Element = {
  mount(place: HTMLElement): void;
  on(event: 'ready' | 'change' | 'loaderror', listener: (event: { complete?: boolean }) => void): void;
  focus(): void;
  destroy(): void;
};
type StripeError = { type?: string; code?: string; decline_code?: string; message?: string };
type Stripe = {
  elements(options: { locale: string }): {
    create(type: 'card', options: Record<string, unknown>): Element;
  };
  confirmCardPayment(
    clientSecret: string,
    data: { payment_method: { card: Element; billing_details: { name?: string } } },
  ): Promise<{ paymentIntent?: { status: string }; error?: StripeError }>;
};
type StripeFactory = (publishableKey: string, options: { stripeAccount: string }) => Stripe;

/** The time limit for a loaded library to show its fields, ms. */
const READY_MS = 20_000;

/** Opens the gateway's own card element; the library shows 3-D Secure over this page. */
export function openCardForm({ gateway: { script }, payment, loadScript }: CardFormParts): CardForm {
  if (payment.psp_code !== 'gateway_a' || script === null) throw new Error("another gateway's payment");
  let stripe: Stripe | undefined;
  let element: Element | undefined;
  return {
    async mount(place, looks) {
      await loadScript(script);
      const factory = (window as { Stripe?: StripeFactory }).Stripe;
      if (!factory) throw new Error('the card library is not there');
      stripe = factory(payment.publishable_key, { stripeAccount: payment.gateway_a_account_id });
      element = stripe.elements({ locale: looks.locale }).create('card', buildElementOptions(looks));
      await mounted(element, place);
    },
    async submit(started, holder) {
      if (!stripe || !element || started.psp_code !== 'gateway_a')
        return { kind: 'refused', reason: 'unexpected' };
      const billing_details = holder === '' ? {} : { name: holder };
      const data = { payment_method: { card: element, billing_details } };
      const result = await stripe.confirmCardPayment(started.client_secret, data).catch(() => undefined);
      return toCardOutcome(result);
    },
    focus: () => element?.focus(),
    unmount: () => element?.destroy(),
  };
}

function mounted(element: Element, place: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the card element is not ready')), READY_MS);
    const settle = (end: () => void) => () => {
      clearTimeout(timer);
      end();
    };
    element.on('ready', settle(resolve));
    element.on(
      'loaderror',
      settle(() => reject(new Error('the card element could not be loaded'))),
    );
    element.mount(place);
  });
}

function buildElementOptions({ style }: CardLooks): Record<string, unknown> {
  const base = {
    color: style.color,
    fontFamily: style.font,
    fontSize: '16px',
    iconColor: style.placeholder,
    '::placeholder': { color: style.placeholder },
  };
  return { hidePostalCode: true, style: { base, invalid: { color: style.danger, iconColor: style.danger } } };
}

/**
 * Returns the outcome. A reported hold is not trusted: the page then queries the server. An ambiguous result is
 * unknown.
 */
function toCardOutcome(
  result: { paymentIntent?: { status: string }; error?: StripeError } | undefined,
): CardOutcome {
  const { error, paymentIntent } = result ?? {};
  if (paymentIntent) return { kind: paymentIntent.status === 'requires_capture' ? 'held' : 'unknown' };
  if (error?.type === 'validation_error') return { kind: 'unsent', reason: 'cardIncomplete' };
  if (error?.code === 'payment_intent_authentication_failure')
    return { kind: 'refused', reason: 'authenticationFailed' };
  if (error?.type === 'card_error') return { kind: 'refused', reason: 'declined', why: findReason(error) };
  return { kind: 'unknown' };
}

/** Returns the issuer's reason, or else the field that is wrong; the page has the list of those that it tells. */
const findReason = ({ code, decline_code }: StripeError): string | undefined => decline_code ?? code;
