import {
  choice,
  decimal,
  flag,
  integer,
  optional,
  pairs,
  text,
  toVariableName,
  url,
  type ConfigOf,
} from '@gp/config';
import { SAMPLERS, type OtlpSettings, type TelemetrySettings } from '@gp/telemetry';
import { listTlsFaults, otlpTlsConfig, toTlsFiles } from './otlp-tls-config.ts';
import { readRelease } from './release.ts';

const HTTP = ['http:', 'https:'];
const EXPORTERS = ['otlp', 'none'] as const;
/** The address of the collector that the standard assumes when none is set. */
const LOCAL_COLLECTOR = 'http://localhost:4318';
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const COMPRESSIONS = ['none', 'gzip'] as const;
const LONGEST_MS = 600_000;
const MOST_SPANS = 1_000_000;
const MOST_PARTS = 10_000;
const LONGEST_VALUE = 1_000_000;

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
  otelTracesExporter: optional(
    choice(EXPORTERS, {
      describe: `Whether traces are sent; \`otlp\` without an address sends them to ${LOCAL_COLLECTOR}`,
    }),
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
  ...otlpTlsConfig,
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
  otelAttributeCountLimit: integer({
    describe: 'Attributes at most; more are dropped',
    default: 128,
    min: 0,
    max: MOST_PARTS,
  }),
  otelSpanAttributeCountLimit: optional(
    integer({ describe: 'The same, for spans', min: 0, max: MOST_PARTS }),
  ),
  otelAttributeValueLengthLimit: optional(
    integer({ describe: 'Characters of an attribute at most; more are cut off', min: 1, max: LONGEST_VALUE }),
  ),
  otelSpanAttributeValueLengthLimit: optional(
    integer({ describe: 'The same, for spans', min: 1, max: LONGEST_VALUE }),
  ),
  otelSpanLinkCountLimit: integer({
    describe: 'Links of a span at most; the newest are kept',
    default: 128,
    min: 0,
    max: MOST_PARTS,
  }),
  otelPropagators: text({
    describe: 'How traces are passed on; baggage may be named, but no part of the platform sets any',
    default: 'tracecontext,baggage',
    pattern: /tracecontext|tracecontext,baggage|baggage,tracecontext/,
  }),
};

export type TelemetryConfig = ConfigOf<typeof telemetryConfig>;

/** Returns a sentence for every setting that contradicts another or names a file that cannot be used. */
export function listTelemetryFaults(config: TelemetryConfig): readonly string[] {
  const address = findAddress(config);
  return [
    ...(config.otelBspMaxExportBatchSize > config.otelBspMaxQueueSize
      ? ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE must be at most OTEL_BSP_MAX_QUEUE_SIZE']
      : []),
    ...(address === undefined ? [] : listTlsFaults(config, address)),
  ];
}

/** Returns the variables of OpenTelemetry that are set and that no process of the platform follows, sorted. */
export function listUnusedVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const used = new Set(Object.keys(telemetryConfig).map(toVariableName));
  return Object.keys(env)
    .filter((name) => name.startsWith('OTEL_') && env[name] !== '' && !used.has(name))
    .sort();
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
    limits: {
      attributes: config.otelSpanAttributeCountLimit ?? config.otelAttributeCountLimit,
      valueLength: config.otelSpanAttributeValueLengthLimit ?? config.otelAttributeValueLengthLimit,
      links: config.otelSpanLinkCountLimit,
    },
    otlp: toOtlpSettings(config),
  };
}

/** Returns the address that traces are sent to; undefined where they are not sent. */
function findAddress(config: TelemetryConfig): string | undefined {
  if (config.otelSdkDisabled || config.otelTracesExporter === 'none') return undefined;
  const assumed = config.otelTracesExporter === 'otlp' ? LOCAL_COLLECTOR : undefined;
  const collector = config.otelExporterOtlpEndpoint ?? assumed;
  return config.otelExporterOtlpTracesEndpoint ?? (collector && `${collector.replace(/\/+$/, '')}/v1/traces`);
}

/** What is set for traces counts more than what is set for all signals. */
function toOtlpSettings(config: TelemetryConfig): OtlpSettings | undefined {
  const address = findAddress(config);
  if (address === undefined) return undefined;
  return {
    url: address,
    protocol: config.otelExporterOtlpTracesProtocol ?? config.otelExporterOtlpProtocol,
    headers: { ...config.otelExporterOtlpHeaders, ...config.otelExporterOtlpTracesHeaders },
    tls: toTlsFiles(config),
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
