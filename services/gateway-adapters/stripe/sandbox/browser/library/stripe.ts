import { showChallenge } from './challenge.ts';
import { CardElement, type Account, type ElementOptions } from './element.ts';
import { IntegrationError, toConfirmResult, type Intent, type Result } from './errors.ts';
import { ExpressElement, newExpress, readDeferred, type Deferred } from './express.ts';
import { confirmWith, findMismatch, knownSecret, retrieve } from './requests.ts';

/** The origin of this script is the gateway's address. */
const origin = new URL((document.currentScript as HTMLScriptElement).src).origin;

type AnyElement = CardElement | ExpressElement;
type Elements = {
  create(type: string, options?: ElementOptions & { readonly buttonHeight?: number }): AnyElement;
  getElement(type: string): AnyElement | null;
  submit(): Promise<Record<string, never>>;
  readonly isSubmitted: boolean;
  readonly clientSecret: string | undefined;
  readonly deferred: Deferred | undefined;
};
type ElementsOptions = Partial<Deferred> & {
  readonly clientSecret?: string;
  readonly locale?: string;
  readonly paymentMethodTypes?: unknown;
};
type CardPayment = {
  readonly payment_method?: { readonly card: CardElement; readonly billing_details?: unknown };
};
type Confirmation = {
  readonly elements: Elements;
  readonly clientSecret?: string;
  readonly confirmParams?: {
    readonly return_url?: string;
    readonly payment_method_data?: { readonly billing_details?: unknown };
  };
  readonly redirect?: 'always' | 'if_required';
};

/** The gateway's browser library, as far as this platform uses it: the same names, arguments and results. */
function Stripe(key: unknown, options: { stripeAccount?: string; locale?: string } = {}) {
  if (typeof key !== 'string' || key === '')
    throw new IntegrationError('Missing value for Stripe(): apiKey should be a string.');
  if (key.startsWith('sk_'))
    throw new IntegrationError('You should not use your secret key with Stripe.js. Pass a publishable key.');
  const account: Account = {
    origin,
    key,
    account: options.stripeAccount ?? '',
    locale: options.locale ?? 'auto',
  };

  const finish = async (result: Result): Promise<Result> => {
    if (result.error) return result;
    const { paymentIntent: intent } = result;
    const challenge = intent.status === 'requires_action' ? intent.next_action?.redirect_to_url : undefined;
    if (!challenge) return toConfirmResult(intent);
    await showChallenge(account, challenge.url);
    const after = await retrieve(account, intent.client_secret);
    return after.error ? after : toConfirmResult(after.paymentIntent);
  };
  const confirm = async (clientSecret: string, card: AnyElement | null, details: unknown, acts = true) => {
    const result = await knownElement(card).confirm(knownSecret(clientSecret), details);
    return acts ? finish(result) : result;
  };

  const confirmWallet = async (elements: Elements, clientSecret: string, element: ExpressElement) => {
    const fault = await findMismatch(account, clientSecret, elements);
    if (fault) return { error: fault };
    return confirmWith(account, knownSecret(clientSecret), element.takeAgreed()).then(finish);
  };

  return {
    elements: (wanted: ElementsOptions = {}) => createElements({ ...account, ...readLocale(wanted) }, wanted),
    confirmCardPayment: (
      clientSecret: string,
      data: CardPayment = {},
      o: { handleActions?: boolean } = {},
    ) =>
      data.payment_method
        ? confirm(
            clientSecret,
            data.payment_method.card,
            data.payment_method.billing_details,
            o.handleActions,
          )
        : retrieve(account, clientSecret).then(finish),
    async confirmPayment({ elements, clientSecret, confirmParams, redirect = 'always' }: Confirmation) {
      const secret = clientSecret ?? elements.clientSecret ?? '';
      const wallets = elements.getElement('expressCheckout');
      const card = elements.getElement('payment') ?? elements.getElement('card');
      const result = await (wallets instanceof ExpressElement && wallets.hasAgreed
        ? confirmWallet(elements, secret, wallets)
        : confirm(secret, card, confirmParams?.payment_method_data?.billing_details));
      if (result.paymentIntent && redirect === 'always')
        leaveFor(confirmParams?.return_url, result.paymentIntent);
      return result;
    },
    handleNextAction: ({ clientSecret }: { clientSecret: string }) =>
      retrieve(account, clientSecret).then(finish),
    retrievePaymentIntent: (clientSecret: string) => retrieve(account, clientSecret),
  };
}

const readLocale = ({ locale }: ElementsOptions) => (locale === undefined ? {} : { locale });

function createElements(account: Account, wanted: ElementsOptions): Elements {
  if (wanted.paymentMethodTypes !== undefined)
    throw new IntegrationError('paymentMethodTypes is no option any more; use allowedPaymentMethodTypes.');
  const { clientSecret } = wanted;
  const deferred = readDeferred(wanted);
  const created = new Map<string, AnyElement>();
  let isSubmitted = false;
  return {
    clientSecret,
    deferred,
    get isSubmitted() {
      return isSubmitted;
    },
    create(type, options = {}) {
      if (type !== 'card' && type !== 'payment' && type !== 'expressCheckout')
        throw new IntegrationError(`A valid Element name must be provided; ${type} is none here.`);
      if (created.get(type)?.isDestroyed === false)
        throw new IntegrationError(`Can only create one Element of type ${type}.`);
      const element =
        type === 'expressCheckout' ? newExpress(deferred, options) : new CardElement(account, type, options);
      created.set(type, element);
      return element;
    },
    getElement: (type) => created.get(type) ?? null,
    submit() {
      isSubmitted = true;
      return Promise.resolve({});
    },
  };
}

function knownElement(card: unknown): CardElement {
  if (card instanceof CardElement) return card;
  throw new IntegrationError('Invalid value for card: value should be an Element.');
}

function leaveFor(address: string | undefined, intent: Intent): void {
  if (address === undefined) throw new IntegrationError('confirmParams.return_url is required.');
  const url = new URL(address);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', intent.client_secret);
  url.searchParams.set('redirect_status', 'succeeded');
  location.assign(url);
}

/** The release of the library that this one replaces. */
Stripe.version = 'endive';
(window as { Stripe?: unknown }).Stripe = Stripe;
