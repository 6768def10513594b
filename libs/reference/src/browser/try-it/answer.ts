import { make } from './elements.ts';

/** Headers of an answer that a reader may need, in this order. */
const SHOWN_HEADERS = [
  'Request-Id',
  'Idempotent-Replayed',
  'Original-Request',
  'Retry-After',
  'RateLimit-Remaining',
  'RateLimit-Reason',
  'WWW-Authenticate',
  'Deprecation',
  'Sunset',
];
/** The most text that is shown of an answer, characters. */
const MOST_TEXT = 200_000;

/** Where the answers of one form are shown. */
export type AnswerPlace = {
  readonly element: HTMLElement;
  /** Shows what is going on, and reads it out. */
  say(sentence: string): void;
  /** Shows an answer while it arrives; returns its body when it has ended and is JSON. */
  show(response: Response, o: { readonly request: string; readonly startedMs: number }): Promise<unknown>;
  clear(): void;
};

export function openAnswerPlace(): AnswerPlace {
  const status = make('p', { class: 'try-status', role: 'status' });
  const details = make('div', { class: 'try-details' });
  const show = async (response: Response, o: { request: string; startedMs: number }): Promise<unknown> => {
    const took = (): string => `${Math.round(performance.now() - o.startedMs)} ms`;
    const title = `${response.status} ${response.statusText}`.trim();
    const code = make('code', { tabindex: '0', role: 'group', 'aria-label': 'Body of the answer' });
    details.replaceChildren(
      make('p', {}, make('code', {}, o.request)),
      listHeaders(response),
      make('pre', {}, code),
    );
    if (response.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      status.textContent = `Answer ${title}. Events are shown as they come.`;
      await readStream(response, code);
      status.textContent = `Answer ${title}. The stream ended after ${took()}.`;
      return undefined;
    }
    const text = await response.text();
    const body = parse(text);
    code.textContent = cut(body === undefined ? text : JSON.stringify(body, null, 2));
    const error = response.ok ? undefined : readError(body);
    status.textContent = `Answer ${title} after ${took()}.${error ? ` ${error.message}` : ''}`;
    status.classList.toggle('try-failed', !response.ok);
    if (error?.link) details.prepend(error.link);
    status.scrollIntoView({ block: 'nearest' });
    return body;
  };
  return {
    element: make('div', { class: 'try-answer' }, status, details),
    say(sentence) {
      status.classList.remove('try-failed');
      status.textContent = sentence;
    },
    show,
    clear: () => details.replaceChildren(),
  };
}

function listHeaders({ headers }: Response): HTMLElement {
  const found = SHOWN_HEADERS.filter((name) => headers.has(name));
  return make(
    'dl',
    {},
    ...found.flatMap((name) => [make('dt', {}, name), make('dd', {}, headers.get(name) ?? '')]),
  );
}

/** Shows events as they come, as text; the oldest go when there are too many. */
async function readStream(response: Response, place: HTMLElement): Promise<void> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    place.textContent = (place.textContent + decoder.decode(part.value, { stream: true })).slice(-MOST_TEXT);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const cut = (text: string): string =>
  text.length <= MOST_TEXT
    ? text
    : `${text.slice(0, MOST_TEXT)}\n… (${text.length - MOST_TEXT} characters more)`;

/** Returns the message of an error with a link to the explanation of its code. */
function readError(body: unknown): { message: string; link?: HTMLElement } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { message, doc_url } = body as { message?: unknown; doc_url?: unknown };
  const address =
    typeof doc_url === 'string' && URL.canParse(doc_url, location.href)
      ? new URL(doc_url, location.href)
      : undefined;
  return {
    message: typeof message === 'string' ? message : '',
    // An address of another kind, such as javascript:, is no explanation.
    ...(address && /^https?:$/.test(address.protocol) && { link: explain(address) }),
  };
}

/** Links to the place in this page where it has one, so that nothing that was filled in is lost. */
function explain({ href, hash }: URL): HTMLElement {
  const isHere = hash !== '' && document.getElementById(hash.slice(1)) !== null;
  const rest = isHere ? {} : { target: '_blank', rel: 'noopener' };
  return make('p', {}, 'Explained at ', make('a', { href: isHere ? hash : href, ...rest }, href));
}
