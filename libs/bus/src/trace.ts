import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * One piece of work of the bus, for the span that describes it. `client` asks, `server` answers a call, or a batch of calls
 * with the traceparents `links`; `producer` hands a message to a stream, `consumer` processes it. `traceparent` is the W3C
 * header of the work that caused it; without one, `client` and `producer` belong to the current work.
 */
export type BusWork = { readonly subject: string; readonly traceparent?: string | undefined } & (
  | { readonly kind: 'client' }
  | { readonly kind: 'server'; readonly links?: readonly string[] }
  | { readonly kind: 'producer'; readonly messageId: string }
  | { readonly kind: 'consumer'; readonly messageId: string; readonly durable: string }
);

/**
 * How the bus passes trace context on without depending on a tracing library. `current` is the W3C traceparent
 * sent with an outgoing message; `run` executes `fn` as the work described.
 */
export type TracePropagation = {
  current(): string | undefined;
  run<T>(work: BusWork, fn: () => Promise<T>): Promise<T>;
};

const carried = new AsyncLocalStorage<string | undefined>();

/** Makes no spans; the traceparent of a message is sent with the calls made while handling it. */
const passThrough: TracePropagation = {
  current: () => carried.getStore(),
  run: ({ kind, traceparent }, fn) =>
    traceparent === undefined && (kind === 'client' || kind === 'producer')
      ? fn()
      : carried.run(traceparent, fn),
};

let installed: TracePropagation = passThrough;

/** Installs the process-wide trace hooks; without an argument the pass-through default returns. */
export function setTracePropagation(hooks: TracePropagation = passThrough): void {
  installed = hooks;
}

export function trace(): TracePropagation {
  return installed;
}
