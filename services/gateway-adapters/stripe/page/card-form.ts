import type { CardForm, CardFormParts, CardLooks, CardOutcome } from '@gp/checkout-web/gateways';
import type { CardElement, Stripe, StripeError, StripeFactory, StripeResult } from './library.ts';

/** The time limit for a loaded library to show its fields, ms. */
const READY_MS = 20_000;

/** Opens the gateway's own card element and the buttons of wallets; the library shows 3-D Secure over this page. */
export function openCardForm({ gateway: { script }, payment, loadScript }: CardFormParts): CardForm {
  if (payment.psp_code !== 'gateway_a' || script === null) throw new Error('no card form');
  let stripe: Stripe | undefined;
  let element: CardElement | undefined;
  const ended = new AbortController();
  const open = async (): Promise<Stripe> => {
    await loadScript(script);
    const factory = (window as { Stripe?: StripeFactory }).Stripe;
    if (!factory) throw new Error('no card library');
    return (stripe ??= factory(payment.publishable_key, { stripeAccount: payment.gateway_a_account_id }));
  };
  return {
    mountExpress: (place, looks, pay) =>
      import('./wallets.ts')
        .then(({ mountWallets }) =>
          mountWallets({ open, payment, toCardOutcome, pay, signal: ended.signal }, place, looks),
        )
        .catch(() => undefined),
    async mount(place, looks) {
      const opened = await open();
      element = opened.elements({ locale: looks.locale }).create('card', buildElementOptions(looks));
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
    unmount() {
      ended.abort();
      element?.destroy();
    },
  };
}

function mounted(element: CardElement, place: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('no card element'));
    setTimeout(fail, READY_MS);
    element.on('ready', () => resolve());
    element.on('loaderror', fail);
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
function toCardOutcome(result: StripeResult | undefined): CardOutcome {
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
