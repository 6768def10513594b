import { AsyncLocalStorage } from 'node:async_hooks';

/** The kind of work a span describes: serving a call, or processing a message of a stream. */
export type SpanKind = 'server' | 'consumer';

/**
 * How the bus passes trace context on without depending on a tracing library. `current` is the W3C traceparent
 * sent with an outgoing message; `run` executes `fn` as the work named `name` that `traceparent` requested
 * (`links` are the traceparents of work that was batched together).
 */
export type TracePropagation = {
  current(): string | undefined;
  run<T>(
    name: string,
    traceparent: string | undefined,
    kind: SpanKind,
    fn: () => Promise<T>,
    links?: readonly string[],
  ): Promise<T>;
};

const carried = new AsyncLocalStorage<string | undefined>();

/** Makes no spans; the traceparent of a message is sent with the calls made while handling it. */
const passThrough: TracePropagation = {
  current: () => carried.getStore(),
  run: (_name, traceparent, _kind, fn) => carried.run(traceparent, fn),
};

let installed: TracePropagation = passThrough;

/** Installs the process-wide trace hooks; without an argument the pass-through default returns. */
export function setTracePropagation(hooks: TracePropagation = passThrough): void {
  installed = hooks;
}

export function trace(): TracePropagation {
  return installed;
}
