import { setTimeout as delay } from 'node:timers/promises';
import {
  AsyncLocalStorageContextManager,
  TracerProvider,
  context,
  type SpanProcessor,
} from '@gp/bundled/opentelemetry';
import type { Logger } from './logger.ts';
import type { OtlpSettings } from './otlp.ts';
import { buildResource, type ResourceSettings } from './resource.ts';
import { buildSampler, type SamplerName } from './sampling.ts';
import { setTracer } from './tracing.ts';

export type Telemetry = {
  /** Sends the recorded spans, as far as that is possible quickly, and stops recording. */
  close(): Promise<void>;
};

export type TelemetrySettings = ResourceSettings & {
  /** Which new traces are recorded; `ratio` is 0 to 1. */
  readonly sampler: { readonly name: SamplerName; readonly ratio: number };
  /** How much of a span is kept; by default 128 attributes of any length and 128 links. */
  readonly limits?: SpanLimits | undefined;
  /** Where recorded spans are sent; without it, and without processors, nothing is recorded. */
  readonly otlp?: OtlpSettings | undefined;
  readonly spanProcessors?: readonly SpanProcessor[];
  /** Where exports that fail are logged. */
  readonly log?: Logger;
};

export type SpanLimits = {
  readonly attributes: number;
  /** Characters of an attribute's text. */
  readonly valueLength?: number | undefined;
  readonly links: number;
};

/**
 * A collector that is down must not keep a service from stopping; sending the last spans may take two seconds.
 */
const flushMs = 2_000;

/**
 * Starts tracing for this process; metrics and logs need no start. Built from `sdk-trace` and its context
 * manager alone: `sdk-node` adds detectors, metrics, logs, gRPC and instrumentation that we never use and that
 * cost 27 MB in each of nine processes. The exporter is loaded only where there is an endpoint to
 * export to. Without one nothing is recorded, but every request still has a trace id.
 */
export async function startTelemetry(o: TelemetrySettings): Promise<Telemetry> {
  const spanProcessors = [...(o.spanProcessors ?? [])];
  if (o.otlp !== undefined) {
    const { openOtlpProcessor } = await import('./otlp.ts');
    spanProcessors.push(await openOtlpProcessor(o.otlp, o.log));
  }
  const provider = new TracerProvider({
    resource: buildResource(o),
    sampler: buildSampler(
      spanProcessors.length > 0 ? o.sampler.name : 'parentbased_always_off',
      o.sampler.ratio,
    ),
    spanProcessors,
    ...(o.limits && { spanLimits: toSpanLimits(o.limits) }),
  });
  context.disable();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  setTracer(provider.getTracer('gp'));
  return {
    async close() {
      const given = new AbortController();
      await Promise.race([provider.shutdown(), delay(flushMs, undefined, { signal: given.signal })]);
      given.abort();
    },
  };
}

function toSpanLimits({ attributes, valueLength = Infinity, links }: SpanLimits) {
  return {
    attributeCountLimit: attributes,
    attributeValueLengthLimit: valueLength,
    linkCountLimit: links,
  };
}
