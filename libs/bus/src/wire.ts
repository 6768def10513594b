import { headers, type Msg, type MsgHdrs } from '@gp/bundled/nats';
import { AppError, fromWire, toWire, type WireError } from '@gp/errors';

export const DEADLINE = 'gp-deadline';
export const TRACEPARENT = 'traceparent';
export const MODE = 'gp-mode';
/** Marks a request that was sent before and may be in another replica's hands. */
export const COPY = 'gp-copy';
/** The proof that an operator signed the request. */
export const OPERATOR = 'gp-operator';
export const MSG_ID = 'Nats-Msg-Id';

/** The longest time a callee works for a caller that set no deadline. */
export const DEFAULT_TIMEOUT_MS = 5_000;

export type Reply = { readonly ok?: unknown } | { readonly error: WireError };

/** One command of a coalesced message. */
export type BatchEntry = { deadline: number; traceparent?: string; command: unknown };

export function buildHeaders(fields: Record<string, string | undefined>): MsgHdrs {
  const h = headers();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) h.set(name, value);
  return h;
}

/** Returns a header's value, undefined when absent or empty. */
export function readHeader(msg: Msg, name: string): string | undefined {
  return msg.headers?.get(name) || undefined;
}

/** Returns the callee's value, or throws its AppError. */
export function unwrap(text: string): unknown {
  const reply = parseJson(text) as Reply | null | undefined;
  if (!reply) throw new AppError('internal_error', {}, { cause: new Error('the answer is not JSON') });
  if ('error' in reply) throw fromWire(reply.error);
  return reply.ok;
}

export function errorReply(e: unknown): Reply {
  return { error: toWire(e) };
}

export function overloaded(): AppError {
  return new AppError('service_unavailable', { retryAfterSeconds: 1 });
}

/** Returns the parsed text, or undefined when it is not JSON (`null` is JSON). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
