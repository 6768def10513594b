/** Values that each series had at the looks, one every few seconds; null where a look did not find it. */
export type Recording = {
  readonly everySeconds: number;
  readonly looks: number;
  /** Numbers as the metrics have them, by the series in the notation of Prometheus. */
  readonly series: Readonly<Record<string, readonly (string | null)[]>>;
};

/** A pod whose metrics were read, and their text. */
export type Scraped = { readonly namespace: string; readonly pod: string; readonly text: string };

export type Recorder = {
  /** Adds what one look found. */
  add(scraped: readonly Scraped[]): void;
  end(): Recording;
};

/** Keeps the series with one of these names, with the labels that a PodMonitor adds. */
export function openRecorder(names: ReadonlySet<string>, everySeconds: number): Recorder {
  const series = new Map<string, (string | null)[]>();
  let looks = 0;
  return {
    add(scraped) {
      for (const one of scraped)
        for (const [name, value] of readSeries(one, names)) {
          const values = series.get(name) ?? [];
          series.set(name, values);
          while (values.length < looks) values.push(null);
          values[looks] = value;
        }
      looks += 1;
    },
    end() {
      for (const values of series.values()) while (values.length < looks) values.push(null);
      return { everySeconds, looks, series: Object.fromEntries(series) };
    },
  };
}

/** The series of a pod's metrics, each with its value. */
function readSeries({ namespace, pod, text }: Scraped, names: ReadonlySet<string>): [string, string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const [, name = '', labels, value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (value === undefined || !names.has(name)) return [];
    const all = [`namespace="${namespace}"`, `pod="${pod}"`, ...(labels ? [labels] : [])];
    return [[`${name}{${all.join(',')}}`, value === 'Nan' ? 'NaN' : value]];
  });
}

/** Names of metrics in expressions of rules. */
export function findNames(rules: string): ReadonlySet<string> {
  return new Set(rules.match(/\b(?:gp_\w+|process_start_time_seconds)\b/g));
}

/** Values in the notation of `promtool test rules`: a series that goes away is stale at once, as Prometheus has it. */
export function renderValues(values: readonly (string | null)[]): string {
  return values
    .map((value, index) => value ?? (index > 0 && values[index - 1] !== null ? 'stale' : '_'))
    .join(' ');
}
