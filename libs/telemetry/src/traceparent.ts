import { isSpanContextValid, type SpanContext } from '@gp/bundled/opentelemetry';

const shape = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * Returns the W3C header of a span context; `tracestate` is not carried, because no part of the platform sets
 * one.
 */
export function formatTraceparent(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the span context of a W3C `traceparent`, or undefined when it is absent or malformed. */
export function parseTraceparent(traceparent: string | null | undefined): SpanContext | undefined {
  const match = traceparent == null ? null : shape.exec(traceparent);
  if (match === null) return undefined;
  const [, traceId = '', spanId = '', flags = ''] = match;
  const span = { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}
