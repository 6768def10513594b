import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from '@gp/bundled/prom-client';
import { currentSampledTrace } from './tracing.ts';

export type MetricDefinition<L extends string> = {
  /** `gp_<what>_<unit>`; counters end in `_total`. */
  readonly name: string;
  readonly help: string;
  /** The unit of the value: 'seconds', 'messages', 'requests' … */
  readonly unit: string;
  readonly labels?: readonly L[];
  /** Series known to be possible: they are 0 from the start, so that a first event shows as a rise. */
  readonly zero?: readonly Readonly<Record<L, string>>[];
};
type Kind = 'counter' | 'gauge' | 'histogram';
export type DocumentedMetric = Omit<MetricDefinition<string>, 'zero'> & { readonly kind: Kind };

/**
 * From a bus hop (1 ms) to the longest call we wait for (a gateway's 20 s), about three steps a decade: enough
 * to read a p99 from, few enough that nine services times their routes stay cheap to scrape.
 */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export const registry = new Registry();
const documented = new Map<string, DocumentedMetric>();

/** Returns a count that only grows; a second call with the same name returns the same counter. */
export function counter<L extends string = never>(definition: MetricDefinition<L>): Counter<L> {
  return define('counter', definition, (options) => {
    const made = new Counter<L>(options);
    for (const labels of definition.zero ?? []) made.inc(labels, 0);
    return made;
  });
}

/** Returns a level that goes up and down; `collect` runs at each scrape when the value has to be looked up. */
export function gauge<L extends string = never>(
  definition: MetricDefinition<L> & { readonly collect?: (gauge: Gauge<L>) => void | Promise<void> },
): Gauge<L> {
  const { collect } = definition;
  return define('gauge', definition, (options) => {
    const made = new Gauge<L>({
      ...options,
      ...(collect && {
        collect() {
          return collect(this);
        },
      }),
    });
    for (const labels of definition.zero ?? []) made.set(labels, 0);
    return made;
  });
}

/** One series of a gauge. */
export type Level<L extends string> = {
  readonly labels: Readonly<Record<L, string>>;
  readonly value: number;
};

/**
 * Defines a gauge whose series are read at each scrape: those that `read` returns, and `zero` for the others.
 * When `read` fails there are no series, so that nobody takes an old number for a current one.
 */
export function levels<L extends string>(
  definition: MetricDefinition<L> & { readonly read: () => Promise<readonly Level<L>[]> },
): Gauge<L> {
  const { read, zero = [], ...rest } = definition;
  return gauge({
    ...rest,
    async collect(made) {
      const found = await read().catch(() => undefined);
      made.reset();
      if (found === undefined) return;
      for (const labels of zero) made.set(labels, 0);
      for (const { labels, value } of found) made.set(labels, value);
    },
  });
}

/**
 * Shares one call of `ask` among all callers while it runs, and for `freshMs` after it resolved: several gauges of one
 * query, and several scrapers. All waiting callers get a failure, and it is not cached.
 */
export function cached<T>(ask: () => Promise<T>, freshMs = 0): () => Promise<T> {
  let known: { readonly answer: Promise<T>; untilMs: number } | undefined;
  return () => {
    if (known !== undefined && performance.now() < known.untilMs) return known.answer;
    const asked = { answer: ask(), untilMs: Infinity };
    known = asked;
    asked.answer.then(
      () => (asked.untilMs = performance.now() + freshMs),
      () => (asked.untilMs = 0),
    );
    return asked.answer;
  };
}

/** Returns a distribution, of seconds unless `buckets` is given. */
export function histogram<L extends string = never>(
  definition: MetricDefinition<L> & { readonly buckets?: readonly number[] },
): Histogram<L> {
  const buckets = [...(definition.buckets ?? latencyBuckets)];
  return define('histogram', definition, (options) => {
    const made = new Histogram<L>({ ...options, buckets });
    for (const labels of definition.zero ?? []) made.zero(labels);
    return made;
  });
}

type Labels<L extends string> = Readonly<Partial<Record<L, string>>>;

/** A distribution whose buckets keep the ids of the last recorded trace that fell into them: its exemplars. */
export type TracedHistogram<L extends string> = {
  observe(labels: Labels<L>, value: number): void;
  /** Returns the end of the measure, which may add labels. */
  startTimer(labels: Labels<L>): (more?: Labels<L>) => void;
  /** Makes a series known before its first value. */
  zero(labels: Labels<L>): void;
};

/**
 * Returns a distribution of seconds with exemplars: a value that is observed in a recorded trace names it, 63 characters of
 * the 128 that OpenMetrics allows. Others cost what they cost without.
 */
export function tracedHistogram<L extends string = never>(
  definition: MetricDefinition<L>,
): TracedHistogram<L> {
  const distribution = define<string, Histogram>('histogram', definition, (options) => {
    // The library's own registration demands a registry that serves nothing but OpenMetrics.
    const registers: Registry[] = [];
    const buckets = [...latencyBuckets];
    const made = new Histogram({ ...options, registers, buckets, enableExemplars: true });
    registry.registerMetric(made);
    return made;
  });
  const observe = (labels: Labels<L>, value: number): void =>
    distribution.observe({ labels, value, exemplarLabels: currentSampledTrace() ?? {} });
  return {
    observe,
    startTimer(labels) {
      const startedAt = performance.now();
      return (more) => observe({ ...labels, ...more }, (performance.now() - startedAt) / 1_000);
    },
    zero: (labels) => distribution.zero(labels),
  };
}

/** Returns every metric defined so far, by name: the source of the operator's metrics page. */
export function documentedMetrics(): readonly DocumentedMetric[] {
  return [...documented.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** The longest interval of a timer, 25 days. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Adds the process' own figures (CPU, memory, garbage collection); once per process. The library's monitor of the event
 * loop would wake each process a hundred times a second, which takes 1 % of a core: `watchEventLoop` replaces it.
 */
export function collectProcessMetrics(): void {
  if (registry.getSingleMetric('process_cpu_seconds_total') !== undefined) return;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_')) registry.removeSingleMetric(name);
}

type PromOptions<L extends string> = { name: string; help: string; labelNames: L[]; registers: Registry[] };

function define<L extends string, M>(
  kind: Kind,
  definition: MetricDefinition<L>,
  make: (options: PromOptions<L>) => M,
): M {
  const { name, help, unit, labels = [] } = definition;
  const known = documented.get(name);
  if (known !== undefined) {
    const same = known.kind === kind && known.labels?.join() === labels.join();
    if (!same) throw new Error(`metric ${name} is already defined differently`);
    // `make` below created it under this name, kind and labels.
    return registry.getSingleMetric(name) as M;
  }
  documented.set(name, { name, help, unit, labels, kind });
  return make({ name, help, labelNames: [...labels], registers: [registry] });
}
