export { watchEventLoop } from './event-loop.ts';
export { allowedFields, mask, safeFields, type FieldName, type Fields } from './fields.ts';
export { describeError, failureClass, type ErrorFields } from './error-fields.ts';
export { createLogger, type LogFields, type LogLevel, type Logger } from './logger.ts';
export {
  batchSpan,
  continueIn,
  currentTrace,
  currentTraceparent,
  linkTo,
  mark,
  span,
  startTelemetry,
  type RunningSpan,
  type SpanOptions,
  type Telemetry,
} from './tracing.ts';
export { formatTraceparent, parseTraceparent } from './traceparent.ts';
export * as metrics from './metrics.ts';
export type { DocumentedMetric, Level, MetricDefinition } from './metrics.ts';
export { observeHandling, observeHttpRequest, subjectName, type Handled, type HandlingWay } from './red.ts';
