export { attribute, type AttributeName, type Attributes } from './attributes.ts';
export {
  httpClientSpan,
  httpServerSpan,
  messageSpan,
  rpcSpan,
  setHttpStatus,
  statementSpan,
  type Endpoint,
} from './conventions.ts';
export { traceHttpCall } from './http-call.ts';
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
  stepSpan,
  type RunningSpan,
  type SpanDescription,
  type SpanOptions,
} from './tracing.ts';
export type { OtlpSettings } from './otlp.ts';
export { SAMPLERS } from './sampling.ts';
export { startTelemetry, type Telemetry, type TelemetrySettings } from './telemetry.ts';
export { formatTraceparent, parseTraceparent } from './traceparent.ts';
export { renderMetrics, type MetricsPage } from './exposition.ts';
export * as metrics from './metrics.ts';
export type { DocumentedMetric, Level, MetricDefinition } from './metrics.ts';
export { observeHandling, observeHttpRequest, subjectName, type Handled, type HandlingWay } from './red.ts';
