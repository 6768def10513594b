import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import type { AddressPolicy } from './address.ts';
import { guardedConnector, timingsOf, type ConnectTimings } from './connect.ts';
import { guardedResolver, type Resolve } from './resolve.ts';

export type PosterOptions = {
  readonly policy: AddressPolicy;
  /** From the first byte of thought to the last byte of the answer's body, ms. */
  readonly deadlineMs: number;
  readonly connectTimeoutMs: number;
  readonly resolve?: Resolve;
  readonly ca?: string;
};

export type Timings = Partial<ConnectTimings> & {
  readonly firstByteMs: number | null;
  readonly totalMs: number;
};

/** What came of a request: an answer, whose body is cut at the limit, or the error that stood in its place. */
export type Posted = {
  readonly remoteAddress: string | null;
  readonly timings: Timings;
  readonly result:
    | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Buffer }
    | { readonly error: Error };
};

export type Poster = {
  post(url: string, headers: Record<string, string>, body: Buffer): Promise<Posted>;
  close(): Promise<void>;
};

/** Nobody needs a longer answer to a webhook; what is beyond it is not read and its connection closed. */
const MOST_BYTES = 64 * 1024;
/** Endpoints of many merchants may live at one origin; each of them is held to its own lane's cap as well. */
const CONNECTIONS_PER_ORIGIN = 32;
/** An idle connection is worth keeping while a group's events follow each other, and not for long after. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 30_000;

/** The whole time an attempt may take is over. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

let lastWrittenOn: Socket | undefined;
// undici tells no handler its socket; it publishes it in the same turn in which the handler hears `onRequestSent`.
subscribe('undici:client:sendHeaders', (message) => {
  lastWrittenOn = (message as { socket: Socket }).socket;
});

/** Opens an HTTP client that follows no redirect, reads no proxy settings and gives receivers little power over us. */
export function openPoster(o: PosterOptions): Poster {
  const resolve = o.resolve ?? guardedResolver(o.policy);
  const agent = new Agent({
    connect: guardedConnector({
      policy: o.policy,
      resolve,
      timeoutMs: o.connectTimeoutMs,
      ...(o.ca !== undefined && { ca: o.ca }),
    }),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
    // The deadline is ours and covers everything; undici's own timers would only cut its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async post(url, headers, body) {
      const target = new URL(url);
      const startedAt = performance.now();
      const give = () => send({ agent, target, headers, body, startedAt, deadlineMs: o.deadlineMs });
      // An open connection was vetted when it was made; what the name says *now* is checked here.
      const refusal = await refusalOf(resolve(target.hostname), o.deadlineMs);
      if (refusal) return unsent(refusal, startedAt);
      const first = await give();
      // A kept connection that the receiver had already closed says nothing about the receiver.
      return first.isStale ? give() : first;
    },
    close: () => agent.destroy(),
  };
}

type Sending = {
  readonly agent: Agent;
  readonly target: URL;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly startedAt: number;
  readonly deadlineMs: number;
};

function send(s: Sending): Promise<Posted & { readonly isStale: boolean }> {
  return new Promise((resolve) => {
    const { startedAt } = s;
    const chunks: Buffer[] = [];
    let size = 0;
    let status: number | undefined;
    let retryAfter: string | undefined;
    let firstByteMs: number | null = null;
    let socket: Socket | undefined;
    let made: ConnectTimings | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let isDone = false;

    const done = (result: Posted['result']): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      const isKept = socket !== undefined && made === undefined;
      resolve({
        remoteAddress: socket?.remoteAddress ?? remoteOf.get(socket ?? noSocket) ?? null,
        timings: { ...made, firstByteMs, totalMs: performance.now() - startedAt },
        result,
        isStale: 'error' in result && isKept && status === undefined && isBrokenLine(result.error),
      });
    };
    const giveUp = (error: Error): void => {
      done({ error });
      controller?.abort(error);
    };
    const answered = (): void => {
      done({ status: status ?? 0, retryAfter, body: Buffer.concat(chunks).subarray(0, MOST_BYTES) });
    };
    const timer = setTimeout(
      () => giveUp(new DeadlineExceeded()),
      Math.max(0, s.deadlineMs - (performance.now() - startedAt)),
    );
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (isDone) started.abort(new DeadlineExceeded());
      },
      onRequestSent() {
        socket = lastWrittenOn;
        if (socket === undefined) return;
        made = timingsOf.get(socket);
        timingsOf.delete(socket);
        if (socket.remoteAddress !== undefined) remoteOf.set(socket, socket.remoteAddress);
      },
      onResponseStart(_controller, statusCode, headers) {
        if (statusCode < 200) return;
        status = statusCode;
        firstByteMs = performance.now() - startedAt;
        const value = headers['retry-after'];
        retryAfter = typeof value === 'string' ? value : undefined;
      },
      onResponseData(started, chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size < MOST_BYTES) return;
        answered();
        started.abort(new Error('the answer is longer than what is read of it'));
      },
      onResponseEnd: answered,
      onResponseError: (_controller, error) => done({ error }),
    };
    const { origin, pathname, search } = s.target;
    s.agent.dispatch(
      { origin, path: pathname + search, method: 'POST', headers: s.headers, body: s.body },
      handler,
    );
  });
}

/** A closed socket forgets its peer; the attempt log does not. */
const remoteOf = new WeakMap<object, string>();
const noSocket = {};

const BROKEN_LINE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
export function isBrokenLine(error: Error): boolean {
  return 'code' in error && BROKEN_LINE.has(String(error.code));
}

/** Why the name may not be called now; a name service that says nothing is not waited for beyond the deadline. */
async function refusalOf(resolving: Promise<unknown>, deadlineMs: number): Promise<Error | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new DeadlineExceeded()), deadlineMs);
  });
  const asked = resolving.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  const refusal = await Promise.race([asked, late]);
  clearTimeout(timer);
  return refusal;
}

function unsent(error: Error, startedAt: number): Posted {
  const timings = { firstByteMs: null, totalMs: performance.now() - startedAt };
  return { remoteAddress: null, timings, result: { error } };
}
