import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  context,
  trace,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@gp/bundled/opentelemetry';
import { attribute, toAttributes, type Attributes } from './attributes.ts';
import { failureClass } from './error-fields.ts';
import type { Fields } from './fields.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

export type SpanOptions = {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Those that take work to make come from a function, which is called for recorded spans only. */
  readonly attributes?: Attributes | (() => Attributes);
  /** Returns what a failure of the work adds to its attributes. */
  readonly describeFailure?: (error: unknown) => Attributes;
  /** The parent, when it came over the wire; otherwise the current span is the parent. */
  readonly traceparent?: string | undefined;
  /**
   * The span of another trace that this work continues, a payment's for example: the new span is its child, and
   * linked with the current span, both ways. Within the current trace it changes nothing.
   */
  readonly continues?: string | null | undefined;
  /** Start a new trace whatever the current span is. */
  readonly root?: boolean;
  /** Spans this one refers to without being their child: retries, timers, batches. */
  readonly links?: readonly (string | undefined)[];
};

export type RunningSpan = {
  set(attributes: Attributes): void;
  /** Marks the span as failed; `type` is one word for the kind of failure. */
  fail(type: string): void;
};

/** Name, kind and attributes of a span as the semantic conventions want them for one sort of work. */
export type SpanDescription = Required<Pick<SpanOptions, 'kind' | 'attributes'>> &
  Pick<SpanOptions, 'describeFailure'> & { readonly name: string };

let tracer: Tracer = trace.getTracer('gp');

/** Makes all later spans with this tracer; for the start of a process. */
export function setTracer(made: Tracer): void {
  tracer = made;
}

/**
 * Runs `work` inside a span and ends it when the work settles. A failure marks the span with its class as `error.type`
 * and is rethrown; messages and stacks never become part of a span.
 */
export async function span<T>(
  name: string,
  options: SpanOptions,
  work: (running: RunningSpan) => Promise<T>,
): Promise<T> {
  const parent = findParentContext(options);
  const started = startSpan(name, options, parent);
  const running = runningSpan(started);
  try {
    return await context.with(trace.setSpan(parent, started), work, undefined, running);
  } catch (error) {
    if (options.describeFailure) running.set(options.describeFailure(error));
    running.fail(error instanceof DOMException ? error.name : failureClass(error));
    throw error;
  } finally {
    started.end();
  }
}

/**
 * Runs one step of a larger piece of work, such as a statement or a call: inside a span where its trace is recorded.
 * Elsewhere the work runs under its parent, so that steps of a trace that is not recorded cost nothing.
 */
export function stepSpan<T>(
  describe: () => SpanDescription,
  options: Pick<SpanOptions, 'traceparent' | 'root'>,
  work: (running: RunningSpan) => Promise<T>,
): Promise<T> {
  const parent = findParentContext(options);
  if (!isSampled(parent))
    return parent === context.active() ? work(unrecorded) : context.with(parent, work, undefined, unrecorded);
  const { name, ...described } = describe();
  return span(name, { ...described, ...options }, work);
}

const unrecorded: RunningSpan = { set: () => undefined, fail: () => undefined };

/**
 * Runs one piece of work done for many callers at once. For one caller it is an ordinary child span. For several
 * callers the batch is a trace of its own, linked to every *sampled* caller; each of these gets a child in its
 * own trace, linked back: a trace stays whole, and unsampled callers cost nothing.
 */
export async function batchSpan<T>(
  name: string,
  options: Omit<SpanOptions, 'traceparent' | 'links' | 'root'>,
  callers: readonly (string | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (callers.length === 1)
    return span(name, { ...options, traceparent: callers[0], root: !callers[0] }, work);
  const sampled = callers.filter((caller) => caller?.endsWith('-01'));
  const linked = sampled.length > 0 ? sampled : callers;
  return span(`${name} batch`, { ...options, root: true, links: linked }, async () => {
    const links = [currentTraceparent()];
    const children = sampled.map((traceparent) => {
      const child = { ...options, traceparent, links };
      return startSpan(name, child, findParentContext(child));
    });
    try {
      return await work();
    } finally {
      for (const child of children) child.end();
    }
  });
}

/**
 * Marks, in the trace of `begun`, the place where the current work changes something there, and returns the
 * header with which work it causes continues there. The mark is a span without duration, linked with the current
 * one both ways. Within one trace, or without a current span, no mark is made: returns the header of the span
 * that there is.
 */
export function continueIn(
  name: string,
  begun: string | null | undefined,
  attributes: Fields = {},
): string | undefined {
  const running = currentTraceparent();
  if (running === undefined) return begun ?? undefined;
  if (elsewhere(begun) === undefined) return running;
  return mark(name, { continues: begun, attributes });
}

/** Records an event as a span without duration; returns the header that makes further work its child. */
export function mark(name: string, options: SpanOptions): string | undefined {
  const marked = startSpan(name, options, findParentContext(options));
  marked.end();
  return formatTraceparent(marked.spanContext());
}

/** Links the current span to another, to which it refers without being its child. */
export function linkTo(traceparent: string | null | undefined): void {
  const linked = elsewhere(traceparent);
  if (linked) trace.getSpan(context.active())?.addLink({ context: linked });
}

/** Returns the W3C header that makes further work of another process a child of the current span. */
export function currentTraceparent(): string | undefined {
  const running = trace.getSpanContext(context.active());
  return running && formatTraceparent(running);
}

/** Returns the ids of the current span, as every log line has them. */
export function currentTrace(): { trace_id: string; span_id: string } | undefined {
  const running = trace.getSpanContext(context.active());
  return running && { trace_id: running.traceId, span_id: running.spanId };
}

/** Returns the ids of the current span when its trace is recorded: the exemplar of a measure. */
export function currentSampledTrace(): { trace_id: string; span_id: string } | undefined {
  return isSampled(context.active()) ? currentTrace() : undefined;
}

function isSampled(at: Context): boolean {
  return ((trace.getSpanContext(at)?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;
}

function findParentContext(options: SpanOptions): Context {
  if (options.root) return ROOT_CONTEXT;
  const remote = parseTraceparent(options.traceparent) ?? elsewhere(options.continues);
  return remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : context.active();
}

/** Returns the span of a header when it is in another trace than the current one. */
function elsewhere(traceparent: string | null | undefined): SpanContext | undefined {
  const named = parseTraceparent(traceparent);
  return named?.traceId === currentTrace()?.trace_id ? undefined : named;
}

function startSpan(name: string, options: SpanOptions, parent: Context): Span {
  const links = (options.links ?? []).flatMap((link): Link[] => {
    const linked = parseTraceparent(link);
    return linked ? [{ context: linked }] : [];
  });
  const kind =
    SpanKind[(options.kind ?? 'internal').toUpperCase() as Uppercase<NonNullable<SpanOptions['kind']>>];
  const started = tracer.startSpan(name, { kind, links }, parent);
  const { attributes = {} } = options;
  if (started.isRecording())
    started.setAttributes(toAttributes(typeof attributes === 'function' ? attributes() : attributes));
  const running = elsewhere(options.continues) && trace.getSpan(context.active());
  if (running) {
    started.addLink({ context: running.spanContext() });
    running.addLink({ context: started.spanContext() });
  }
  return started;
}

function runningSpan(started: Span): RunningSpan {
  return {
    set(attributes) {
      if (started.isRecording()) started.setAttributes(toAttributes(attributes));
    },
    fail(type) {
      started.setStatus({ code: SpanStatusCode.ERROR });
      started.setAttribute(attribute.errorType, type);
    },
  };
}
