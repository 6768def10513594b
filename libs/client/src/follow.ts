import { GroupPaymentsError, NoAnswerError } from './failure.ts';
import { parsed, toAddress, type Settings } from './send.ts';
import { readServerSentEvents } from './server-sent-events.ts';
import type { WebhookEvent } from './webhooks.ts';

export type FollowOptions = {
  /**
   * The id of the last event that you have handled: what arrived since comes first. The nil UUID begins with the oldest
   * event that is kept; without an id the stream begins with the next event that arrives.
   */
  readonly after?: string;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** Called whenever a stream is open, with the id of the event that it begins after. */
  readonly onOpen?: (lastEventId: string) => void;
  /** Called whenever a stream was lost, with the time until it is opened again. */
  readonly onLost?: (reason: Error, inMs: number) => void;
  /** A stream without a byte for so long is lost, ms; 45 s by default, three times the silence that the API allows. */
  readonly silenceMs?: number;
  /** The first pause before a stream is opened again, ms; doubled at each try without success, up to 8 s. */
  readonly pauseMs?: number;
};

const PATH = '/v1/events/stream';
const LONGEST_PAUSE_MS = 8_000;

/**
 * Yields the events of the merchant and mode of a key as they arrive, each once. A stream that is lost is opened again
 * after the last event that was yielded, without end, once it was open; before that as often as `settings.retries` says.
 * Rejects with a GroupPaymentsError that no retry can change (the key has ended, `after` is unknown), and with the last
 * failure where no stream could be opened at all.
 */
export async function* followEvents(
  settings: Settings,
  o: FollowOptions = {},
): AsyncGenerator<WebhookEvent, void, undefined> {
  const { retries = 4, sleep } = settings;
  const { signal, pauseMs = 250 } = o;
  let after = o.after;
  let wasOpen = false;
  for (let failures = 0; !signal?.aborted; failures++) {
    let reason: Error = new Error('the stream ended');
    try {
      for await (const message of openStream(settings, o, after)) {
        after = message.id ?? after;
        failures = 0;
        wasOpen = true;
        if (message.name === 'ready') o.onOpen?.(after ?? '');
        else if (message.name === 'message') yield JSON.parse(message.data) as WebhookEvent;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error) || (!wasOpen && failures >= retries)) throw error;
      reason = error instanceof Error ? error : new Error(String(error));
    }
    const backoff = Math.min(LONGEST_PAUSE_MS, pauseMs * 2 ** failures) * (0.5 + Math.random() / 2);
    const asked = reason instanceof GroupPaymentsError ? (reason.retryAfter ?? 0) * 1_000 : 0;
    const inMs = Math.max(asked, backoff);
    o.onLost?.(reason, inMs);
    await (sleep ? sleep(inMs) : pauseUnless(signal, inMs));
  }
}

async function* openStream(
  { key, baseUrl, fetch: ask = fetch }: Settings,
  { signal, silenceMs = 45_000 }: FollowOptions,
  after: string | undefined,
) {
  const gone = new AbortController();
  const isSilent = () => gone.abort(new Error(`the stream was silent for ${silenceMs / 1_000} s`));
  let silence = setTimeout(isSilent, silenceMs);
  const awake = (): void => {
    clearTimeout(silence);
    silence = setTimeout(isSilent, silenceMs);
  };
  try {
    const answer = await ask(toAddress(baseUrl, PATH), {
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'text/event-stream',
        ...(after !== undefined && { 'last-event-id': after }),
      },
      signal: signal ? AbortSignal.any([signal, gone.signal]) : gone.signal,
    });
    if (answer.status !== 200 || !answer.body) {
      const text = await answer.text();
      throw new GroupPaymentsError(answer.status, parsed(text), answer.headers);
    }
    yield* readServerSentEvents(answer.body, awake);
  } catch (error) {
    if (error instanceof GroupPaymentsError) throw error;
    throw new NoAnswerError(`GET ${PATH}`, gone.signal.aborted ? gone.signal.reason : error);
  } finally {
    clearTimeout(silence);
    gone.abort();
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof GroupPaymentsError && error.status < 500 && error.status !== 429;

function pauseUnless(signal: AbortSignal | undefined, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
