import { AsyncLocalStorage } from 'node:async_hooks';

/** Who did the work a span describes: the one that answers, or the one that works off a stream. */
export type SpanKind = 'server' | 'consumer';

/**
 * How the bus hands trace context on without knowing a tracing library. `current` is the W3C traceparent
 * sent with an outgoing message; `run` executes `fn` as the work named `name` that `traceparent` asked for
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

/** Makes no spans; what came in with a message goes out with the calls made while handling it. */
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
