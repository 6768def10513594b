import { CONNECTION_ERROR, IntegrationError, type Result } from './errors.ts';

/** The connected account of the payments, and the gateway's address. */
export type Account = {
  readonly origin: string;
  readonly key: string;
  readonly account: string;
  readonly locale: string;
};

type Style = Readonly<Record<string, unknown>>;
export type ElementOptions = { readonly style?: Style; readonly disabled?: boolean };
type EventName = 'ready' | 'change' | 'focus' | 'blur' | 'escape' | 'loaderror';
type Listener = (event: Record<string, unknown>) => void;
type Frame = { readonly type: string } & Readonly<Record<string, unknown>>;

/**
 * The time limit for a frame whose page has loaded to send a message, ms: without one it shows an error page, not
 * ours.
 */
const SILENCE_MS = 3_000;

/**
 * Card fields in a frame of the gateway's origin: the parent page has the frame, but never what is typed in it.
 */
export class CardElement {
  readonly #account: Account;
  readonly #type: string;
  readonly #listeners = new Map<EventName, Set<Listener>>();
  readonly #waiting = new Map<string, (result: Frame) => void>();
  #options: ElementOptions;
  #frame: HTMLIFrameElement | undefined;
  #isReady = false;
  isDestroyed = false;

  constructor(account: Account, type: string, options: ElementOptions) {
    this.#account = account;
    this.#type = type;
    this.#options = options;
  }

  mount(target: string | HTMLElement): void {
    if (this.isDestroyed) throw new IntegrationError('This Element has been destroyed. Create a new one.');
    const place = typeof target === 'string' ? document.querySelector(target) : target;
    if (!(place instanceof HTMLElement)) throw new IntegrationError('There is no DOM element to mount to.');
    if (place.getRootNode() instanceof ShadowRoot)
      throw new IntegrationError('Elements cannot be mounted in a ShadowRoot. Mount it in the Light DOM.');
    if (!place.isConnected) throw new IntegrationError('The element to mount to is not in the document.');
    if (this.#frame?.parentElement === place) return;
    this.unmount();
    this.#frame = this.#newFrame();
    window.addEventListener('message', this.#onMessage);
    place.replaceChildren(this.#frame);
  }

  unmount(): void {
    window.removeEventListener('message', this.#onMessage);
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isReady = false;
    for (const answer of this.#waiting.values()) answer({ type: 'confirmed', error: CONNECTION_ERROR });
    this.#waiting.clear();
  }

  destroy(): void {
    this.unmount();
    this.#listeners.clear();
    this.isDestroyed = true;
  }

  update(options: ElementOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#send({ type: 'update', ...collectColors(options), disabled: options.disabled });
  }

  focus(): void {
    // Across origins a frame cannot take the focus by itself.
    this.#frame?.focus();
    this.#send({ type: 'focus' });
  }
  blur(): void {
    this.#send({ type: 'blur' });
  }
  clear(): void {
    this.#send({ type: 'clear' });
  }

  on(name: EventName, listener: Listener): this {
    const known = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, known.add(listener));
    return this;
  }
  once(name: EventName, listener: Listener): this {
    const only: Listener = (event) => {
      this.off(name, only);
      listener(event);
    };
    return this.on(name, only);
  }
  off(name: EventName, listener?: Listener): this {
    if (listener) this.#listeners.get(name)?.delete(listener);
    else this.#listeners.delete(name);
    return this;
  }

  /** Makes the frame confirm a payment with the card in it. */
  async confirm(clientSecret: string, billingDetails: unknown): Promise<Result> {
    if (!this.#frame || !this.#isReady)
      throw new IntegrationError(
        'The Element must be mounted and ready before a payment is confirmed with it.',
      );
    const id = crypto.randomUUID();
    const answered = new Promise<Frame>((resolve) => this.#waiting.set(id, resolve));
    const { key, account } = this.#account;
    this.#send({ type: 'confirm', id, key, account, clientSecret, billingDetails: billingDetails ?? {} });
    const { intent, error } = await answered;
    return (error === undefined ? { paymentIntent: intent } : { error }) as Result;
  }

  #newFrame(): HTMLIFrameElement {
    const { origin, locale } = this.#account;
    const looks = collectColors(this.#options);
    const frame = document.createElement('iframe');
    frame.src = `${origin}/gateway_a/elements/card?${new URLSearchParams({
      origin: location.origin,
      ...looks,
      ...(locale !== 'auto' && { locale }),
    })}`;
    frame.title = 'Secure card payment input frame';
    frame.allow = 'payment *';
    const { style } = frame;
    [style.border, style.width, style.height, style.display] = ['0', '100%', '11rem', 'block'];
    if (looks['scheme']) style.colorScheme = looks['scheme'];
    frame.addEventListener('load', () =>
      setTimeout(() => {
        if (!this.#isReady && this.#frame === frame) this.#emit('loaderror', { error: CONNECTION_ERROR });
      }, SILENCE_MS),
    );
    return frame;
  }

  #send(message: Frame): void {
    this.#frame?.contentWindow?.postMessage(message, this.#account.origin);
  }

  #emit(name: EventName, event: Record<string, unknown> = {}): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])])
      listener({ elementType: this.#type, ...event });
  }

  readonly #onMessage = ({ source, origin, data }: MessageEvent<Frame>): void => {
    const frame = this.#frame;
    if (!frame || source !== frame.contentWindow || origin !== this.#account.origin) return;
    switch (data.type) {
      case 'ready':
        this.#isReady = true;
        if (this.#options.disabled) this.#send({ type: 'update', disabled: true });
        return this.#emit('ready');
      case 'resize':
        frame.style.height = `${Number(data['height'])}px`;
        return;
      case 'change':
        return this.#emit('change', buildChangeEvent(data));
      case 'focus':
      case 'blur':
      case 'escape':
        return this.#emit(data.type);
      case 'confirmed':
        this.#waiting.get(String(data['id']))?.(data);
        this.#waiting.delete(String(data['id']));
        return;
    }
  };
}

function buildChangeEvent({ complete, empty, brand, error }: Frame): Record<string, unknown> {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  const fault = error ? { type: 'validation_error', code, message } : undefined;
  return { complete, empty, brand, value: { postalCode: '' }, error: fault };
}

/** Returns the colours of the library's `style`, by the part of the frame they are for. */
function collectColors({ style = {} }: ElementOptions): Record<string, string> {
  const base = (style['base'] ?? {}) as Record<string, unknown>;
  const placeholder = (base['::placeholder'] ?? {}) as Record<string, unknown>;
  const danger = ((style['invalid'] ?? {}) as Record<string, unknown>)['color'];
  const { color, iconColor: accent, backgroundColor: background } = base;
  const named = { color, accent, background, placeholder: placeholder['color'], danger };
  const colors = Object.entries(named).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const scheme = typeof color === 'string' ? { scheme: isLight(color) ? 'dark' : 'light' } : {};
  return { ...Object.fromEntries(colors), ...scheme };
}

/** Returns whether a text colour is light, which means a dark page. */
function isLight(color: string): boolean {
  const long = /^#[0-9a-f]{3}$/i.test(color) ? color.replace(/[0-9a-f]/gi, '$&$&') : color;
  const hex = long.startsWith('#') ? [1, 3, 5].map((at) => parseInt(long.slice(at, at + 2), 16)) : undefined;
  const [red = 0, green = 0, blue = 0] = hex ?? (long.match(/\d+/g) ?? []).map(Number);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 150;
}
