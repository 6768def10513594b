import type { End, Heartbeat, Picture, PictureChange } from '../bootstrap.ts';
import type { Tokens } from './api.ts';
import { backoffMs } from './backoff.ts';
import { changed, pickNewer, type Live } from './picture.ts';
import { eventReader, type ServerSentEvent } from './sse.ts';

/** A connection that is silent for longer is dead: heartbeats come every 20 s. */
const SILENCE_MS = 45_000;
/** After this many failed streams in a row a page polls: a proxy in between cannot stream. */
const STREAM_TRIES = 3;
/** The interval of the polls of a page that cannot stream. */
const ASK_MS = 3_000;
/** The number of polls before a page tries to stream again: about a minute. */
const ASK_TIMES = 20;
/** The interval at which a visible page checks a finished group for changes: a refund is possible. */
const LOOK_AGAIN_MS = 30_000;

export type LiveUpdates = {
  /** Called when the group has changed. */
  picture(live: Live): void;
  serverTime(epochMs: number): void;
  /** Called with false while the picture shown may be outdated. */
  connected(isConnected: boolean): void;
};

export type LiveOptions = {
  readonly url: string;
  readonly tokens: Tokens;
  readonly known: Live;
  readonly updates: LiveUpdates;
};

/** Caught in this file. */
class StreamEnded extends Error {
  declare readonly reason: End | undefined;
  constructor(reason?: End) {
    super();
    this.reason = reason;
  }
}

/**
 * Keeps the picture of a group current until the signal aborts: over a stream, and by polling where streams fail.
 * A whole picture closes gaps. After the group is final no connection is kept, and a visible page shows later
 * changes within half a minute, or at once when the payer comes back to it.
 */
export async function keepLive(o: LiveOptions, signal: AbortSignal): Promise<void> {
  const feed = liveFeed(o, signal);
  for (let failures = 0; !signal.aborted;) {
    const ended = failures < STREAM_TRIES ? await feed.stream() : await feed.ask(ASK_TIMES);
    if (ended.reason === 'final') {
      o.updates.connected(true);
      do await pause(LOOK_AGAIN_MS, signal);
      while (document.hidden && !signal.aborted);
      continue;
    }
    // A stream that worked for a while and then ended resets the count; failures without a network do not count.
    if (ended.worked) failures = failures >= STREAM_TRIES ? 0 : 1;
    else if (navigator.onLine) failures++;
    // A token that cannot be renewed now is requested again only after a pause.
    const isRenewed = ended.reason === 'session_ended' && (await feed.renew());
    if (!isRenewed) await pause(backoffMs(Math.min(failures, STREAM_TRIES) + 1), signal);
  }
}

/** A token has ended, or the link of a page whose address is its secret. */
const isEnded = ({ status }: Response): boolean => status === 401 || status === 404;

type Ended = { readonly worked: boolean; readonly reason: End | undefined };

function liveFeed({ url, tokens, known, updates }: LiveOptions, signal: AbortSignal) {
  let live = known;
  let etag: string | undefined;

  const show = (next: Live): void => {
    if (next === live) return;
    live = next;
    updates.picture(live);
  };
  const request = (accept: string, headers: Record<string, string>, limit: AbortSignal) => {
    const token = tokens.token();
    return fetch(url, {
      headers: { ...(token && { Authorization: `Bearer ${token}` }), Accept: accept, ...headers },
      signal: limit,
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
  };
  const renew = (): Promise<boolean> =>
    tokens.refreshToken(tokens.token()).then(
      () => true,
      () => false,
    );

  const receive = ({ event, data }: ServerSentEvent): void => {
    const message = JSON.parse(data) as unknown;
    if (event === 'end') throw new StreamEnded((message as { reason: End }).reason);
    updates.serverTime(Date.parse((message as Heartbeat).server_time));
    if (event === 'snapshot') show(pickNewer(live, message as Picture));
    if (event === 'change') {
      const next = changed(live, message as PictureChange);
      if (!next) throw new StreamEnded();
      show(next);
    }
  };

  const stream = async (): Promise<Ended> => {
    const silence = watchdog(SILENCE_MS, signal);
    let worked = false;
    try {
      const response = await request('text/event-stream', {}, silence.signal);
      if (isEnded(response)) return { worked, reason: 'session_ended' };
      if (!response.ok || !response.body) return { worked, reason: undefined };
      const take = eventReader(receive);
      for await (const piece of pieces(response.body)) {
        silence.alive();
        take(piece);
        if (!worked) updates.connected((worked = true));
      }
      return { worked, reason: undefined };
    } catch (error) {
      return { worked, reason: error instanceof StreamEnded ? error.reason : undefined };
    } finally {
      silence.stop();
      if (!signal.aborted) updates.connected(false);
    }
  };

  const askOnce = async (): Promise<'ok' | 'failed' | 'session_ended'> => {
    const silence = watchdog(SILENCE_MS, signal);
    try {
      const asked = etag === undefined ? {} : { 'If-None-Match': etag };
      const response = await request('application/json', asked, silence.signal);
      if (isEnded(response)) return 'session_ended';
      if (response.status === 304) return 'ok';
      if (!response.ok) return 'failed';
      etag = response.headers.get('ETag') ?? undefined;
      const picture = (await response.json()) as Picture;
      updates.serverTime(Date.parse(picture.server_time));
      show(pickNewer(live, picture));
      return 'ok';
    } catch {
      return 'failed';
    } finally {
      silence.stop();
    }
  };

  const ask = async (times: number): Promise<Ended> => {
    let worked = false;
    for (let asked = 0; asked < times && !signal.aborted; asked++) {
      const answer = await askOnce();
      if (answer === 'session_ended') return { worked, reason: answer };
      updates.connected(answer === 'ok');
      worked = answer === 'ok';
      await pause(ASK_MS, signal);
    }
    return { worked, reason: undefined };
  };

  return { stream, ask, renew };
}

/** Yields the text of a body as it arrives. Not every browser can iterate a body by itself. */
async function* pieces(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function watchdog(ms: number, until: AbortSignal) {
  const controller = new AbortController();
  const expire = (): void => controller.abort();
  let timer = setTimeout(expire, ms);
  // A lost network ends its connections, and not all browsers notice.
  addEventListener('offline', expire);
  // `AbortSignal.any` is newer than the browsers that are promised.
  until.addEventListener('abort', expire);
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(timer);
      timer = setTimeout(expire, ms);
    },
    stop() {
      clearTimeout(timer);
      removeEventListener('offline', expire);
      until.removeEventListener('abort', expire);
    },
  };
}

/** Waits, but only until the signal aborts, the network is back or the visibility of the page changes. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const until = { signal: done.signal };
    signal.addEventListener('abort', end, until);
    if (typeof window !== 'undefined') {
      addEventListener('online', end, until);
      document.addEventListener('visibilitychange', end, until);
    }
    if (signal.aborted) end();
  });
}
