import { choice, decimal, flag, integer, optional, pairs, text, url, type ConfigOf } from '@gp/config';
import { SAMPLERS, type OtlpSettings, type TelemetrySettings } from '@gp/telemetry';
import { readRelease } from './release.ts';

const HTTP = ['http:', 'https:'];
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const COMPRESSIONS = ['none', 'gzip'] as const;
const LONGEST_MS = 600_000;
const MOST_SPANS = 1_000_000;

/** A header may hold nothing that would begin another header. */
const HEADER_VALUE = /[\x20-\x7e]*/;
const headers = (describe: string) => optional(pairs({ describe, values: HEADER_VALUE, isSecret: true }));

/** The standard variables of OpenTelemetry for traces, and our own share of traces that are recorded. */
export const telemetryConfig = {
  otelSdkDisabled: flag({
    describe: 'Records and sends no traces; log lines keep their ids',
    default: false,
  }),
  otelServiceName: optional(text({ describe: 'Name of the service in traces instead of its own' })),
  otelResourceAttributes: optional(
    pairs({ describe: 'Attributes of all traces, for example deployment.environment.name=production' }),
  ),
  otelExporterOtlpEndpoint: optional(
    url({
      describe: 'OTLP/HTTP collector, to which /v1/traces is added; without one nothing is recorded',
      protocols: HTTP,
    }),
  ),
  otelExporterOtlpTracesEndpoint: optional(
    url({ describe: 'The whole address for traces, in place of the collector’s', protocols: HTTP }),
  ),
  otelExporterOtlpHeaders: headers('Headers of requests to the collector, for example a token'),
  otelExporterOtlpTracesHeaders: headers('Headers of requests with traces, laid over those of the collector'),
  otelExporterOtlpProtocol: choice(PROTOCOLS, {
    describe: 'Encoding of what is exported; gRPC is not supported',
    default: 'http/protobuf',
  }),
  otelExporterOtlpTracesProtocol: optional(choice(PROTOCOLS, { describe: 'The same, for traces' })),
  otelExporterOtlpTimeout: integer({
    describe: 'How long an export may take, with its repetitions, ms',
    default: 10_000,
    min: 1,
    max: LONGEST_MS,
  }),
  otelExporterOtlpTracesTimeout: optional(
    integer({ describe: 'The same, for traces', min: 1, max: LONGEST_MS }),
  ),
  otelExporterOtlpCompression: choice(COMPRESSIONS, { describe: 'Compression of exports', default: 'none' }),
  otelExporterOtlpTracesCompression: optional(choice(COMPRESSIONS, { describe: 'The same, for traces' })),
  traceSampleRatio: decimal({
    describe: 'Share of new traces that are recorded; a trace begun elsewhere keeps its decision',
    default: 0.05,
    min: 0,
    max: 1,
  }),
  otelTracesSampler: optional(
    choice(SAMPLERS, { describe: 'Which traces are recorded, in place of TRACE_SAMPLE_RATIO' }),
  ),
  otelTracesSamplerArg: optional(
    decimal({ describe: 'Share of traces for a sampler with a ratio; all without it', min: 0, max: 1 }),
  ),
  otelBspScheduleDelay: integer({
    describe: 'Longest pause between two exports, ms; a second shows a payment while it is debugged',
    default: 1_000,
    min: 1,
    max: LONGEST_MS,
  }),
  otelBspExportTimeout: integer({
    describe: 'How long the export of a batch may take, ms',
    default: 30_000,
    min: 1,
    max: LONGEST_MS,
  }),
  otelBspMaxQueueSize: integer({
    describe: 'Spans that wait for export at most; more are dropped',
    default: 2_048,
    min: 1,
    max: MOST_SPANS,
  }),
  otelBspMaxExportBatchSize: integer({
    describe: 'Spans of one export at most',
    default: 512,
    min: 1,
    max: MOST_SPANS,
  }),
  otelPropagators: text({
    describe: 'How traces are passed on; baggage may be named, but no part of the platform sets any',
    default: 'tracecontext,baggage',
    pattern: /tracecontext|tracecontext,baggage|baggage,tracecontext/,
  }),
};

export type TelemetryConfig = ConfigOf<typeof telemetryConfig>;

/** Returns the faults of settings that contradict each other. */
export function listTelemetryFaults(config: TelemetryConfig): readonly string[] {
  return config.otelBspMaxExportBatchSize > config.otelBspMaxQueueSize
    ? ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE must be at most OTEL_BSP_MAX_QUEUE_SIZE']
    : [];
}

/** Returns what tracing is started with; `service` is the name of the process. */
export function toTelemetrySettings(service: string, config: TelemetryConfig): TelemetrySettings {
  const { otelResourceAttributes: resourceAttributes, otelTracesSampler } = config;
  return {
    service: config.otelServiceName ?? resourceAttributes?.['service.name'] ?? service,
    version: readRelease(),
    resourceAttributes,
    sampler:
      otelTracesSampler === undefined
        ? { name: 'parentbased_traceidratio', ratio: config.traceSampleRatio }
        : { name: otelTracesSampler, ratio: config.otelTracesSamplerArg ?? 1 },
    otlp: config.otelSdkDisabled ? undefined : toOtlpSettings(config),
  };
}

/** What is set for traces counts more than what is set for all signals. */
function toOtlpSettings(config: TelemetryConfig): OtlpSettings | undefined {
  const base = config.otelExporterOtlpEndpoint?.replace(/\/+$/, '');
  const address = config.otelExporterOtlpTracesEndpoint ?? (base && `${base}/v1/traces`);
  if (address === undefined || address === '') return undefined;
  return {
    url: address,
    protocol: config.otelExporterOtlpTracesProtocol ?? config.otelExporterOtlpProtocol,
    headers: { ...config.otelExporterOtlpHeaders, ...config.otelExporterOtlpTracesHeaders },
    timeoutMs: config.otelExporterOtlpTracesTimeout ?? config.otelExporterOtlpTimeout,
    compression: config.otelExporterOtlpTracesCompression ?? config.otelExporterOtlpCompression,
    batch: {
      delayMs: config.otelBspScheduleDelay,
      timeoutMs: config.otelBspExportTimeout,
      maxQueue: config.otelBspMaxQueueSize,
      maxBatch: config.otelBspMaxExportBatchSize,
    },
  };
}
