import {
  ROOT_CONTEXT,
  context,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  type SpanExporter,
} from '@gp/bundled/opentelemetry';
import type { Logger } from './logger.ts';
import { counter } from './metrics.ts';

const spansTotal = counter({
  name: 'gp_trace_spans_total',
  help: 'Recorded spans that the collector took (exported), whose export failed (lost), or that had no room in the queue (dropped)',
  unit: 'spans',
  labels: ['outcome'],
  zero: [{ outcome: 'exported' }, { outcome: 'lost' }, { outcome: 'dropped' }],
});

/**
 * Counts the spans that an exporter delivers and loses, and logs once when exports begin to fail and once when they
 * succeed again.
 */
export function watchExports(exporter: SpanExporter, log: Logger | undefined): SpanExporter {
  let isFailing = false;
  const note = (count: number, error: Error | undefined): void => {
    spansTotal.inc({ outcome: error ? 'lost' : 'exported' }, count);
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    if (error) log?.warn({ count, err: error }, 'traces cannot be exported');
    else log?.info({ count }, 'traces are exported again');
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // The current trace is that of whatever filled the batch.
        context.with(ROOT_CONTEXT, () => note(spans.length, result.error));
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

/** Counts the spans for which a processor has no room; the processor reports them to a meter and nowhere else. */
export const dropWatch: MeterProvider = {
  getMeter: () =>
    Object.assign(Object.create(createNoopMeter()) as Meter, {
      createCounter: () => ({
        add(count: number, attributes?: { readonly 'error.type'?: unknown }) {
          if (attributes?.['error.type'] === 'queue_full') spansTotal.inc({ outcome: 'dropped' }, count);
        },
      }),
    }),
};
