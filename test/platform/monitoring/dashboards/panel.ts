/** One question to Prometheus and the name of each of its series. */
export type Query = readonly [expr: string, legend: string];

export type Panel = {
  readonly title: string;
  /** The content of the panel, and its meaning. */
  readonly about: string;
  /** A unit as Grafana names it. */
  readonly unit: string;
  readonly queries: readonly Query[];
  /** A number, lines, or the state of something over time; lines unless said otherwise. */
  readonly shown?: 'number' | 'lines' | 'states';
  /** Columns of 24. */
  readonly width?: number;
  /** From this value on it is red. */
  readonly bad?: number;
  /** Where a count ends: from this value on, lines say that there may be more. */
  readonly countsUpTo?: number;
  /** Words for values, of states. */
  readonly words?: Readonly<Record<string, { readonly text: string; readonly color: string }>>;
  /**
   * The spans that a latency is measured in, as a condition of TraceQL: its queries then show exemplars, and a point links to the
   * traces that took as long as it says. `${__field.labels.x}` is the label of the point's series.
   */
  readonly spans?: string;
  /** The instructions for a bad value: a file of the repository and the heading in it. */
  readonly runbook?: string;
};

/** One page of Grafana. */
export type Board = {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  /** Variables after `namespace`, by name: the label they choose values of, and a metric that has it. */
  readonly variables?: Readonly<Record<string, { readonly label: string; readonly of: string }>>;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
};

/** The series of a metric in the chosen namespaces, narrowed by more matchers. */
export function series(metric: string, ...matchers: readonly string[]): string {
  return `${metric}{${['namespace=~"$namespace"', ...matchers].join(', ')}}`;
}

/** How fast a counter grows, a second, over Grafana's own interval. */
export function rate(metric: string, ...matchers: readonly string[]): string {
  return `rate(${series(metric, ...matchers)}[$__rate_interval])`;
}

/** A quantile of a histogram, by the labels that are kept apart. */
export function quantile(
  q: number,
  histogram: string,
  by: readonly string[],
  ...matchers: readonly string[]
): string {
  const labels = ['le', ...by].join(', ');
  return `histogram_quantile(${q}, sum by (${labels}) (${rate(`${histogram}_bucket`, ...matchers)}))`;
}

/** Lines of the median, the 95th and the 99th percentile. */
export function quantiles(histogram: string, ...matchers: readonly string[]): Query[] {
  return [
    [quantile(0.5, histogram, [], ...matchers), 'p50'],
    [quantile(0.95, histogram, [], ...matchers), 'p95'],
    [quantile(0.99, histogram, [], ...matchers), 'p99'],
  ];
}

/** The label of a point's series, for `spans`. */
export const label = (name: string): string => `\${__field.labels.${name}:percentencode}`;
