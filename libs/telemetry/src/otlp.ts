import { BatchSpanProcessor, type SpanProcessor } from '@gp/bundled/opentelemetry';
import { dropWatch, watchExports } from './export-watch.ts';
import type { Logger } from './logger.ts';
import { openTlsAgent, type TlsFiles } from './otlp-tls.ts';

/** How traces reach a collector over HTTP; times in milliseconds. */
export type OtlpSettings = {
  /** The address that takes traces, with its path. */
  readonly url: string;
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Headers of every request; their values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** For a collector with https. */
  readonly tls?: TlsFiles | undefined;
  readonly timeoutMs: number;
  readonly compression: 'none' | 'gzip';
  readonly batch: {
    readonly delayMs: number;
    readonly timeoutMs: number;
    readonly maxQueue: number;
    readonly maxBatch: number;
  };
};

/** As many exports may be under way as the exporters of OpenTelemetry allow by default. */
const CONCURRENCY = 30;

/**
 * Sends recorded spans in batches. Built from the parts of OpenTelemetry's exporters, because the exporters read the
 * environment themselves and only warn about what is wrong there. Spans that cannot be sent are counted; `log` gets
 * the failure.
 */
export async function openOtlpProcessor(o: OtlpSettings, log?: Logger): Promise<SpanProcessor> {
  const [{ CompressionAlgorithm, OTLPExporterBase }, http, transformer] = await Promise.all([
    import('@opentelemetry/otlp-exporter-base'),
    import('@opentelemetry/otlp-exporter-base/node-http'),
    import('@opentelemetry/otlp-transformer'),
  ]);
  const { tls } = o;
  const isJson = o.protocol === 'http/json';
  const headers = { ...o.headers, 'content-type': isJson ? 'application/json' : 'application/x-protobuf' };
  const delegate = http.createOtlpHttpExportDelegate(
    {
      url: o.url,
      headers: () => Promise.resolve(headers),
      timeoutMillis: o.timeoutMs,
      concurrencyLimit: CONCURRENCY,
      compression: o.compression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
      agentFactory: tls ? () => openTlsAgent(tls) : http.httpAgentFactoryFromOptions({ keepAlive: true }),
    },
    isJson ? transformer.JsonTraceSerializer : transformer.ProtobufTraceSerializer,
    'otlp_http_span_exporter',
    transformer.TraceExporterMetricsHelper,
    undefined,
  );
  return new BatchSpanProcessor({
    exporter: watchExports(new OTLPExporterBase(delegate), log),
    selfObsMeterProvider: dropWatch,
    scheduledDelayMillis: o.batch.delayMs,
    exportTimeoutMillis: o.batch.timeoutMs,
    maxQueueSize: o.batch.maxQueue,
    maxExportBatchSize: o.batch.maxBatch,
  });
}
