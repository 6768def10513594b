import type { CardLooks, CardOutcome, Pay, StartedBy } from '@gp/checkout-web/gateways';
import type { DeferredElements, ExpressElement, Stripe, StripeResult } from './library.ts';

export type WalletParts = {
  readonly open: () => Promise<Stripe>;
  /** The payment whose amount the wallets show. */
  readonly payment: StartedBy<'gateway_a'>;
  readonly toCardOutcome: (result: StripeResult | undefined) => CardOutcome;
  readonly pay: Pay;
  /** Takes the buttons away. */
  readonly signal: AbortSignal;
};

/**
 * Puts the vendor's buttons of Apple Pay, Google Pay and Link into an element of the page's form, and shows it when the
 * device has one. The buttons belong to no payment: after a declined one the same button pays the next. Rejects when
 * there can be none.
 */
export async function mountWallets(parts: WalletParts, place: HTMLElement, looks: CardLooks): Promise<void> {
  const { open, payment, signal } = parts;
  const stripe = await open();
  // In the vendor's own units, which are not everywhere those of the currency.
  const { paymentIntent: intent } = await stripe.retrievePaymentIntent(payment.client_secret);
  if (!intent || signal.aborted) return;
  const elements = stripe.elements({
    locale: looks.locale,
    mode: 'payment',
    amount: intent.amount,
    currency: intent.currency,
    // As the adapter prepares every payment.
    captureMethod: 'manual',
    allowedPaymentMethodTypes: ['card'],
  });
  const element = elements.create('expressCheckout', buildOptions(looks));
  element.on('ready', ({ availablePaymentMethods: methods }) => {
    if (methods && Object.values(methods).includes(true)) place.className = 'express';
  });
  element.on('click', ({ resolve }) => {
    if (place.closest('form')?.reportValidity()) resolve();
  });
  payOnConsent(parts, stripe, elements, element);
  element.mount(place);
  signal.addEventListener('abort', () => element.destroy());
}

function payOnConsent(
  { payment, toCardOutcome, pay }: WalletParts,
  stripe: Stripe,
  elements: DeferredElements,
  element: ExpressElement,
): void {
  const agree = async (): Promise<boolean> => {
    let isSent = false;
    await pay(async (started, holder) => {
      if (started.psp_code !== 'gateway_a' || started.amount !== payment.amount)
        return { kind: 'refused', reason: 'unexpected' };
      const { error } = await elements.submit();
      if (error) return { kind: 'unsent', reason: 'cardIncomplete' };
      isSent = true;
      const billing_details = holder === '' ? {} : { name: holder };
      const confirmation = {
        elements,
        clientSecret: started.client_secret,
        confirmParams: { payment_method_data: { billing_details } },
        redirect: 'if_required',
      } as const;
      return toCardOutcome(await stripe.confirmPayment(confirmation).catch(() => undefined));
    });
    return isSent;
  };
  element.on('confirm', ({ paymentFailed }) => {
    // The wallet waits for an answer, which the vendor gives it only for a payment that was confirmed.
    void agree().then((isSent) => isSent || paymentFailed({ reason: 'fail' }));
  });
}

/** Methods for which the payer would leave the page are not offered: the hold has to come from a card. */
function buildOptions({ isDark }: CardLooks): Record<string, unknown> {
  const theme = isDark ? 'white' : 'black';
  return {
    buttonHeight: 48,
    buttonTheme: { applePay: theme, googlePay: theme },
    paymentMethods: {
      applePay: 'auto',
      googlePay: 'auto',
      link: 'auto',
      amazonPay: 'never',
      klarna: 'never',
      paypal: 'never',
    },
  };
}
