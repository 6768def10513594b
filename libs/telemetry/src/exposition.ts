import { Registry } from '@gp/bundled/prom-client';
import { registry } from './metrics.ts';

export type MetricsPage = { readonly contentType: string; readonly text: string };

type Readable = { get(): Promise<{ readonly name: string; readonly type: string }> };
type Printer = { getMetricsAsString(metric: Readable): Promise<string> };

const OPEN = Registry.OPENMETRICS_CONTENT_TYPE;

/**
 * Returns all metrics in the format that the scraper's `Accept` asks for: OpenMetrics, where latencies carry the ids of a
 * recorded trace as exemplars, or else the text format of Prometheus.
 */
export async function renderMetrics(accept = ''): Promise<MetricsPage> {
  if (accept.includes('application/openmetrics-text'))
    return { contentType: OPEN, text: await renderOpenMetrics() };
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/**
 * The library's registry has one format, and changes the names of its counters for good when it writes OpenMetrics. So
 * each metric is printed under its family's name by a view of the registry that has the other format.
 */
async function renderOpenMetrics(): Promise<string> {
  const view = Object.create(registry, { contentType: { value: OPEN } }) as Printer;
  const families = await Promise.all(
    registry
      .getMetricsAsArray()
      .map((metric) => view.getMetricsAsString(asFamily(metric as unknown as Readable))),
  );
  return `${families.join('\n')}\n# EOF\n`;
}

/** OpenMetrics names a counter's family without the suffix that its sample has. */
function asFamily(metric: Readable): Readable {
  return {
    async get() {
      const read = await metric.get();
      return read.type === 'counter' ? { ...read, name: read.name.replace(/_total$/, '') } : read;
    },
  };
}
