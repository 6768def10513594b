import { validateHeaderName, validateHeaderValue, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { toHttp } from '@gp/errors';
import type { HttpOutcome, HttpResponse } from './types.ts';

type Encoded = { readonly body: unknown; readonly contentType?: string };

/** Builds the documented error response of any thrown value. */
export function failure(cause: unknown, requestId: string, docsUrl?: string): HttpOutcome {
  const { status, headers, body } = toHttp(cause, requestId, docsUrl);
  return encoded({ status, headers, body, cause });
}

/** Turns the body into bytes or a stream and checks the headers, so that sending cannot fail any more. */
export function encoded(response: HttpOutcome): HttpOutcome {
  for (const [name, values] of Object.entries(response.headers ?? {})) {
    validateHeaderName(name);
    for (const value of [values].flat()) validateHeaderValue(name, value);
  }
  if (response.contentType !== undefined) validateHeaderValue('Content-Type', response.contentType);
  return { ...response, ...encodedBody(response) };
}

function encodedBody({ body, contentType }: HttpResponse): Encoded {
  if (body === undefined) return { body };
  const typed = (fallback: string, bytes: unknown): Encoded => ({
    body: bytes,
    contentType: contentType ?? fallback,
  });
  if (body instanceof Uint8Array || isStream(body)) return typed('application/octet-stream', body);
  if (typeof body === 'string') return typed('text/plain; charset=utf-8', Buffer.from(body));
  return typed('application/json; charset=utf-8', Buffer.from(JSON.stringify(body)));
}

function isStream(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** How streams are treated: `ends` holds a function to end each one that has no end of its own. */
export type Streaming = {
  readonly ends: Set<() => void>;
  /** The server closes: one of these that begins now ends at once, so that its reader looks for another server. */
  readonly areOver: boolean;
  /** Time after which a reader that takes nothing of the waiting data is cut off: it is gone or malicious. */
  readonly stalledMs: number;
};

/** Sends an encoded response. A stream is sent as it is produced. */
export function send(target: ServerResponse, outcome: HttpOutcome, streaming: Streaming): void {
  const { status, headers = {}, body, contentType } = outcome;
  target.statusCode = status;
  for (const [name, value] of Object.entries(headers)) target.setHeader(name, value);
  if (contentType !== undefined) target.setHeader('Content-Type', contentType);
  if (isStream(body))
    return stream(target, Readable.from(body, { objectMode: false }), {
      ...streaming,
      isEndless: contentType?.startsWith(EVENTS) === true,
    });
  const bytes = body instanceof Uint8Array ? body : undefined;
  // Node leaves the length out for HEAD, and must not be given one for 204 and 304.
  if (status !== 204 && status !== 304) target.setHeader('Content-Length', bytes?.length ?? 0);
  target.end(bytes);
}

/** Server-sent events have no end of their own. */
const EVENTS = 'text/event-stream';

function stream(
  target: ServerResponse,
  source: Readable,
  { ends, areOver, stalledMs, isEndless }: Streaming & { readonly isEndless: boolean },
): void {
  const end = (): void => {
    source.unpipe(target);
    target.end();
    source.destroy();
  };
  const watching = cutWhenStalled(target, stalledMs);
  // A file that was ended early would look complete. It has the grace of other responses, and is cut after it.
  if (isEndless) ends.add(end);
  target.once('close', () => {
    clearInterval(watching);
    ends.delete(end);
    source.destroy();
  });
  // The status is sent already: only a cut connection can show that the body is not complete.
  source.once('error', () => target.destroy());
  target.flushHeaders();
  if (target.req.method === 'HEAD' || (isEndless && areOver)) end();
  else source.pipe(target);
}

function cutWhenStalled(target: ServerResponse, stalledMs: number): NodeJS.Timeout {
  let before = -1;
  return setInterval(() => {
    const sent = target.socket?.bytesWritten ?? 0;
    if (target.writableLength > 0 && sent === before) target.destroy();
    before = sent;
  }, stalledMs).unref();
}
