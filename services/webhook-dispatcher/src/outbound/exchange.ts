import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { Agent, Dispatcher } from '@gp/bundled/undici';
import { timingsOf, type ConnectTimings } from './connect.ts';

export type Timings = Partial<ConnectTimings> & {
  readonly firstByteMs: number | null;
  readonly totalMs: number;
};

/** The end of a request: an answer, whose body is cut at the limit, or the error that came in its place. */
export type Posted = {
  readonly remoteAddress: string | null;
  readonly timings: Timings;
  readonly result:
    | { readonly status: number; readonly retryAfter: string | undefined; readonly body: Buffer }
    | { readonly error: Error };
};

export type Request = {
  readonly agent: Agent;
  readonly target: URL;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly startedAt: number;
  /** Counted from `startedAt`. */
  readonly deadlineMs: number;
};

/** The whole time an attempt may take is over. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** Bytes of an answer that are read; the connection of a longer answer is closed. */
const MOST_BYTES = 64 * 1024;

const BROKEN_LINE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
export function isBrokenLine(error: Error): boolean {
  return 'code' in error && BROKEN_LINE.has(String(error.code));
}

let lastWrittenOn: Socket | undefined;
// undici passes no socket to a handler; it publishes the socket in the same turn in which it calls `onRequestSent`.
subscribe('undici:client:sendHeaders', (message) => {
  lastWrittenOn = (message as { socket: Socket }).socket;
});

/** The line a request went out on; `made` when it was made for this request, absent when it had been kept. */
type Line = { readonly remoteAddress: string | null; readonly made: ConnectTimings | undefined };

function takeLine(socket: Socket): Line {
  const made = timingsOf.get(socket);
  timingsOf.delete(socket);
  // Read now: a closed socket has no remote address.
  return { remoteAddress: socket.remoteAddress ?? null, made };
}

/**
 * Sends one request and resolves with the end of the answer's body, its limit, an error or the deadline, whichever comes
 * first. `isStale`: a kept connection broke before a byte of an answer.
 */
export function exchange(r: Request): Promise<Posted & { readonly isStale: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let head: { status: number; retryAfter: string | undefined; firstByteMs: number } | undefined;
    let line: Line | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const elapsed = (): number => performance.now() - r.startedAt;

    // Only the first call counts: promises settle once.
    const end = (result: Posted['result']): void => {
      clearTimeout(timer);
      const isKept = line !== undefined && line.made === undefined;
      const isStale = 'error' in result && isKept && head === undefined && isBrokenLine(result.error);
      const timings = { ...line?.made, firstByteMs: head?.firstByteMs ?? null, totalMs: elapsed() };
      resolve({ remoteAddress: line?.remoteAddress ?? null, timings, result, isStale });
    };
    const endAnswered = (): void => {
      const { status = 0, retryAfter } = head ?? {};
      end({ status, retryAfter, body: Buffer.concat(chunks).subarray(0, MOST_BYTES) });
    };
    let late: DeadlineExceeded | undefined;
    const endLate = (): void => {
      late = new DeadlineExceeded();
      end({ error: late });
      controller?.abort(late);
    };
    const timer = setTimeout(endLate, Math.max(0, r.deadlineMs - elapsed()));

    const { origin, pathname, search } = r.target;
    const { headers, body } = r;
    r.agent.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body },
      {
        onRequestStart(started) {
          controller = started;
          // It waited for a connection until it was too late.
          if (late) started.abort(late);
        },
        onRequestSent() {
          if (lastWrittenOn) line = takeLine(lastWrittenOn);
        },
        onResponseStart(_started, status, { 'retry-after': retryAfter }) {
          // Interim answers only announce the real one.
          if (status < 200) return;
          head = {
            status,
            retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
            firstByteMs: elapsed(),
          };
        },
        onResponseData(started, chunk) {
          chunks.push(chunk);
          size += chunk.length;
          if (size < MOST_BYTES) return;
          endAnswered();
          started.abort(new Error('the answer is longer than what is read of it'));
        },
        onResponseEnd: endAnswered,
        onResponseError: (_started, error) => end({ error }),
      },
    );
  });
}
