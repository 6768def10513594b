import { setTimeout as delay } from 'node:timers/promises';
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
  AsyncLocalStorageContextManager,
  resourceFromAttributes,
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanProcessor,
} from '@gp/bundled/opentelemetry';
import { failureClass } from './error-fields.ts';
import { safeFields, type Fields } from './fields.ts';
import { formatTraceparent, parseTraceparent } from './traceparent.ts';

export type SpanOptions = {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  readonly attributes?: Fields;
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

export type RunningSpan = { set(attributes: Fields): void; fail(code: string): void };
export type Telemetry = {
  /** Sends the recorded spans, as far as that is possible quickly, and stops recording. */
  close(): Promise<void>;
};

/**
 * A collector that is down must not keep a service from stopping; sending the last spans may take two seconds.
 */
const flushMs = 2_000;

let tracer: Tracer = trace.getTracer('gp');

/**
 * Starts tracing for this process; metrics and logs need no start. Built from `sdk-trace` and its context
 * manager alone: `sdk-node` adds detectors, metrics, logs, gRPC and instrumentation that we never use and that
 * cost tens of megabytes in each of nine processes. The exporter is loaded only where there is an endpoint to
 * export to. Without one nothing is recorded, but every request still has a trace id.
 */
export async function startTelemetry(o: {
  service: string;
  otlpEndpoint?: string | undefined;
  sampleRatio: number;
  spanProcessors?: readonly SpanProcessor[];
}): Promise<Telemetry> {
  const spanProcessors = [...(o.spanProcessors ?? [])];
  if (o.otlpEndpoint !== undefined) spanProcessors.push(await otlpProcessor(o.otlpEndpoint));
  const root =
    spanProcessors.length > 0
      ? linkedSampler(new TraceIdRatioBasedSampler(o.sampleRatio))
      : new AlwaysOffSampler();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': o.service }),
    sampler: new ParentBasedSampler({ root }),
    spanProcessors,
  });
  context.disable();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  tracer = provider.getTracer('gp');
  return {
    async close() {
      const given = new AbortController();
      await Promise.race([provider.shutdown(), delay(flushMs, undefined, { signal: given.signal })]);
      given.abort();
    },
  };
}

async function otlpProcessor(endpoint: string): Promise<SpanProcessor> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  // One second instead of the default five: people look at a payment's trace while they debug it.
  return new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 });
}

/**
 * Runs `work` inside a span and ends it when the work settles. A failure marks the span with its code and
 * is rethrown; messages and stacks never become part of a span.
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
    running.fail(failureClass(error));
    throw error;
  } finally {
    started.end();
  }
}

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
  const attributes = safeFields(options.attributes ?? {});
  const started = tracer.startSpan(name, { kind, links, attributes }, parent);
  const running = elsewhere(options.continues) && trace.getSpan(context.active());
  if (running) {
    started.addLink({ context: running.spanContext() });
    running.addLink({ context: started.spanContext() });
  }
  return started;
}

/**
 * Decides whether a new trace is recorded: one that is linked to others is recorded when one of those is, so
 * that links of a recorded trace lead somewhere; `fallback` decides about all others.
 */
function linkedSampler(fallback: Sampler): Sampler {
  return {
    shouldSample(parent, traceId, name, kind, attributes, links) {
      if (links.length === 0) return fallback.shouldSample(parent, traceId, name, kind, attributes, links);
      const isRecorded = links.some((link) => link.context.traceFlags & TraceFlags.SAMPLED);
      return { decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `linked, else ${fallback.toString()}`,
  };
}

function runningSpan(started: Span): RunningSpan {
  return {
    set(attributes) {
      if (started.isRecording()) started.setAttributes(safeFields(attributes));
    },
    fail(code) {
      started.setStatus({ code: SpanStatusCode.ERROR, message: code });
    },
  };
}
