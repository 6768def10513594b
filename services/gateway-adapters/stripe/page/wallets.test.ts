import type { CardOutcome, Pay, PayResponse, StartedBy } from '@gp/checkout-web/gateways';
import type { DeferredOptions, Stripe, StripeResult } from './library.ts';
import { mountWallets } from './wallets.ts';

const started: StartedBy<'gateway_a'> = {
  psp_code: 'gateway_a',
  payment_intent_id: 'intent',
  amount: 10,
  currency: 'EUR',
  slot_ids: ['s1'],
  is_test_mode: true,
  client_secret: 'pi_1_secret_1',
  gateway_a_account_id: 'acct_1',
  publishable_key: 'pk_test_1',
};
const looks = {
  locale: 'es',
  isDark: true,
  style: { color: '', background: '', placeholder: '', danger: '', accent: '', font: '' },
};
const held: StripeResult = { paymentIntent: { status: 'requires_capture', amount: 1_000, currency: 'eur' } };

/** The vendor's library and the page, as far as the buttons use them; what is asked of them is recorded. */
async function open(o: { isValid?: boolean; pays?: PayResponse | undefined; submitFails?: boolean } = {}) {
  const listeners: Record<string, (event: Record<string, unknown>) => void> = {};
  const elements: DeferredOptions[] = [];
  const confirmed: Record<string, unknown>[] = [];
  const outcomes: CardOutcome[] = [];
  const calls: string[] = [];
  const place = {
    className: '',
    closest: () => ({ reportValidity: () => o.isValid ?? true }),
  };
  const element = {
    on: (name: string, listener: (event: Record<string, unknown>) => void) => (listeners[name] = listener),
    mount: () => calls.push('mount'),
    destroy: () => calls.push('destroy'),
  };
  const stripe = {
    retrievePaymentIntent: () => Promise.resolve(held),
    elements: (options: DeferredOptions) => {
      elements.push(options);
      return {
        create: () => element,
        submit: () => Promise.resolve(o.submitFails ? { error: { type: 'validation_error' } } : {}),
      };
    },
    confirmPayment: (confirmation: Record<string, unknown>) => {
      confirmed.push(confirmation);
      return Promise.resolve(held);
    },
  };
  let isPaying = false;
  const pay: Pay = async (submit) => {
    const payment = 'pays' in o ? o.pays : started;
    if (isPaying || !payment) return;
    isPaying = true;
    outcomes.push(await submit(payment, 'Ana'));
  };
  const ended = new AbortController();
  await mountWallets(
    {
      open: () => Promise.resolve(stripe as unknown as Stripe),
      payment: started,
      toCardOutcome: (result) => ({ kind: result?.paymentIntent ? 'held' : 'unknown' }),
      pay,
      signal: ended.signal,
    },
    place as unknown as HTMLElement,
    looks,
  );
  const click = (): boolean => {
    let isOpened = false;
    listeners['click']?.({ resolve: () => (isOpened = true) });
    return isOpened;
  };
  const refusals: unknown[] = [];
  const confirm = async (): Promise<void> => {
    listeners['confirm']?.({ paymentFailed: (why: unknown) => refusals.push(why) });
    await new Promise((resolve) => setImmediate(resolve));
  };
  const ready = (availablePaymentMethods?: Record<string, boolean>): string => {
    listeners['ready']?.({ availablePaymentMethods });
    return place.className;
  };
  return { elements, confirmed, outcomes, calls, refusals, click, confirm, ready, ended };
}

describe('the buttons of wallets', () => {
  it('the buttons show the amount in the units of the gateway, ask for a hold by card and are in the language of the page', async () => {
    const { elements } = await open();
    expect(elements).toEqual([
      {
        locale: 'es',
        mode: 'payment',
        amount: 1_000,
        currency: 'eur',
        captureMethod: 'manual',
        allowedPaymentMethodTypes: ['card'],
      },
    ]);
  });

  it.each([
    ['no list', undefined, ''],
    ['only wallets that it lacks', { applePay: false, googlePay: false }, ''],
    ['a wallet', { applePay: false, googlePay: true }, 'express'],
  ])(
    'the place of the buttons is shown for a device that has a wallet: %s',
    async (_what, methods, shown) => {
      expect((await open()).ready(methods)).toBe(shown);
    },
  );

  it('a wallet opens only while the form of the page is valid', async () => {
    expect((await open({ isValid: false })).click()).toBe(false);
    expect((await open()).click()).toBe(true);
  });

  it('a consent confirms the payment with the name of the payer, and is no failure to the wallet', async () => {
    const { confirm, confirmed, outcomes, refusals } = await open();
    await confirm();
    expect(confirmed).toMatchObject([
      {
        clientSecret: 'pi_1_secret_1',
        confirmParams: { payment_method_data: { billing_details: { name: 'Ana' } } },
        redirect: 'if_required',
      },
    ]);
    expect([outcomes, refusals]).toEqual([[{ kind: 'held' }], []]);
  });

  it('a second consent while a payment is being sent confirms nothing, and fails in the wallet', async () => {
    const { confirm, confirmed, refusals } = await open();
    await confirm();
    await confirm();
    expect(confirmed).toHaveLength(1);
    expect(refusals).toEqual([{ reason: 'fail' }]);
  });

  it.each([
    ['the shares are taken', { pays: undefined }, []],
    [
      'the payment has another amount',
      { pays: { ...started, amount: 11 } },
      [{ kind: 'refused', reason: 'unexpected' }],
    ],
    ['the wallet is incomplete', { submitFails: true }, [{ kind: 'unsent', reason: 'cardIncomplete' }]],
  ])('a consent confirms nothing and fails in the wallet when %s', async (_why, how, expected) => {
    const { confirm, confirmed, outcomes, refusals } = await open(how);
    await confirm();
    expect([confirmed, outcomes, refusals]).toEqual([[], expected, [{ reason: 'fail' }]]);
  });

  it('the buttons leave with the form', async () => {
    const { calls, ended } = await open();
    ended.abort();
    expect(calls).toEqual(['mount', 'destroy']);
  });
});
