import { IntegrationError } from './errors.ts';
import { showSheet } from './sheet.ts';

/** What an Elements instance without an intent says of the payment to come. */
export type Deferred = {
  readonly mode: string;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: string;
};
type ExpressEvent = 'ready' | 'click' | 'confirm' | 'cancel' | 'loaderror';
type ExpressListener = (event: Record<string, unknown>) => void;

/** How long the page may take to answer a click before the wallet stays closed, ms. */
const CLICK_MS = 1_000;

/** Returns what Elements options say of a payment to come; undefined for Elements of an intent and for card elements. */
export function readDeferred(o: Partial<Deferred>): Deferred | undefined {
  if (o.mode === undefined) return undefined;
  const { mode, amount, currency, captureMethod = 'automatic' } = o;
  if (mode !== 'payment' || !Number.isSafeInteger(amount) || !/^[a-z]{3}$/.test(currency ?? ''))
    throw new IntegrationError('mode "payment" needs an integer amount and a lower-case currency.');
  return { mode, amount: amount ?? 0, currency: currency ?? '', captureMethod };
}

export function newExpress(
  deferred: Deferred | undefined,
  options: { readonly buttonHeight?: number },
): ExpressElement {
  if (deferred) return new ExpressElement(deferred, options);
  throw new IntegrationError('expressCheckout needs Elements with mode, amount and currency here.');
}

/**
 * The buttons of wallets: one of a test wallet, where the browser has an interface to wallets and the page may use it.
 * It stands in the page, where the vendor's are in a frame.
 */
export class ExpressElement {
  readonly #listeners = new Map<ExpressEvent, Set<ExpressListener>>();
  readonly #payment: Deferred;
  readonly #height: number;
  #place: HTMLElement | undefined;
  #isOpen = false;
  /** The card that the payer chose and that no payment was confirmed with yet. */
  #agreed: string | undefined;
  isDestroyed = false;

  constructor(payment: Deferred, options: { readonly buttonHeight?: number }) {
    this.#payment = payment;
    this.#height = options.buttonHeight ?? 44;
    if (this.#height < 40 || this.#height > 55)
      throw new IntegrationError('buttonHeight should be between 40 and 55.');
  }

  mount(target: string | HTMLElement): void {
    if (this.isDestroyed) throw new IntegrationError('This Element has been destroyed. Create a new one.');
    const place = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(place instanceof HTMLElement) || !place.isConnected)
      throw new IntegrationError('There is no DOM element to mount to.');
    this.#place = place;
    const methods = findWallets();
    // The vendor's element is there without a button, too, as an empty one.
    const body = document.createElement('div');
    if (methods) body.append(this.#newButton());
    place.replaceChildren(body);
    // As the vendor's, which first asks its own server.
    setTimeout(() => this.#emit('ready', { availablePaymentMethods: methods }));
  }

  unmount(): void {
    this.#place?.replaceChildren();
    this.#place = undefined;
  }
  destroy(): void {
    this.unmount();
    this.#listeners.clear();
    this.isDestroyed = true;
  }

  on(name: ExpressEvent, listener: ExpressListener): this {
    this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener));
    return this;
  }
  off(name: ExpressEvent, listener?: ExpressListener): this {
    if (listener) this.#listeners.get(name)?.delete(listener);
    else this.#listeners.delete(name);
    return this;
  }

  get hasAgreed(): boolean {
    return this.#agreed !== undefined;
  }
  /** Returns the chosen card, once: a consent pays one payment. */
  takeAgreed(): string {
    const agreed = this.#agreed;
    this.#agreed = undefined;
    return agreed ?? '';
  }

  #newButton(): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.lang = 'en';
    button.textContent = 'Test Pay';
    Object.assign(button.style, {
      width: '100%',
      minHeight: `${this.#height}px`,
      border: '1px solid #fff',
      borderRadius: '.375rem',
      background: '#000',
      color: '#fff',
      font: '600 1.1rem system-ui, sans-serif',
      cursor: 'pointer',
    });
    button.addEventListener('click', () => this.#ask());
    return button;
  }

  /** Asks the page whether the wallet may open. While it is open, further clicks do nothing. */
  #ask(): void {
    const askedAt = performance.now();
    const resolve = (): void => {
      if (!this.#isOpen && performance.now() - askedAt < CLICK_MS) void this.#open();
    };
    if (this.#isOpen) return;
    if (this.#listeners.get('click')?.size)
      this.#emit('click', { expressPaymentType: 'google_pay', resolve });
    else resolve();
  }

  async #open(): Promise<void> {
    this.#isOpen = true;
    const choice = await showSheet(writeAmount(this.#payment));
    this.#isOpen = false;
    this.#agreed = choice?.paymentMethod;
    if (!choice) return this.#emit('cancel');
    this.#emit('confirm', {
      expressPaymentType: 'google_pay',
      billingDetails: { name: 'Test Payer' },
      paymentFailed: () => (this.#agreed = undefined),
    });
  }

  #emit(name: ExpressEvent, event: Record<string, unknown> = {}): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      listener({ elementType: 'expressCheckout', ...event });
  }
}

/** The decimals of the gateway's units where they are not those of the currency. */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

function writeAmount({ amount, currency }: Deferred): string {
  const code = currency.toUpperCase();
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: code });
  return format.format(
    amount / 10 ** (DECIMALS[code] ?? format.resolvedOptions().maximumFractionDigits ?? 2),
  );
}

/** Returns the wallets of the browser as the vendor names them, or undefined when there is none for this page. */
function findWallets(): Readonly<Record<string, boolean>> | undefined {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  if (featurePolicy?.allowsFeature('payment') === false) return undefined;
  const [applePay, googlePay] = ['ApplePaySession' in window, 'PaymentRequest' in window];
  if (!applePay && !googlePay) return undefined;
  return { applePay, googlePay, link: false, amazonPay: false, klarna: false, paypal: false };
}
