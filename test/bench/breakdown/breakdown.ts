import { findLayer } from './layers.ts';
import { placeFinder } from './places.ts';
import { countSamples, type Profile } from './samples.ts';

/** CPU that a process takes, µs, and the parts of it by layer; none for a process that has no profile. */
export type ProcessCost = { readonly us: number; readonly layers: Readonly<Record<string, number>> };

/** What one piece of work costs, by process. */
export type Breakdown = Readonly<Record<string, ProcessCost>>;

/**
 * Splits the CPU of each process by the samples of its profile: the system says how much a process used, threads of the
 * collector included, and the profile says for what.
 */
export function breakDown(
  usByProcess: ReadonlyMap<string, number>,
  profiles: ReadonlyMap<string, Profile>,
): Breakdown {
  const findPlace = placeFinder();
  const split = (us: number, profile: Profile | undefined): ProcessCost => {
    const counts = profile
      ? countSamples(profile, (frame) => findLayer(findPlace(frame)))
      : new Map<string, number>();
    const all = counts.values().reduce((sum, count) => sum + count, 0);
    const layers = [...counts].map(([layer, count]) => [layer, Math.round((us * count) / all)]);
    return { us: Math.round(us), layers: Object.fromEntries(layers) as Record<string, number> };
  };
  return Object.fromEntries([...usByProcess].map(([name, us]) => [name, split(us, profiles.get(name))]));
}

/** What is smaller than this share of the whole is not named by itself. */
const NAMED_FROM = 0.01;
const OTHERS = 'others';

/** Renders a table in Markdown: a column for each process, a row for each layer, µs; the largest first. */
export function renderBreakdown(breakdown: Breakdown): string {
  const whole = sum(Object.values(breakdown).map(({ us }) => us));
  const columns = foldSmall(
    mapValues(breakdown, ({ us }) => us),
    whole,
  );
  const byLayer: Record<string, number> = {};
  for (const { layers } of Object.values(breakdown))
    for (const [layer, us] of Object.entries(layers)) byLayer[layer] = (byLayer[layer] ?? 0) + us;
  const rows = foldSmall(byLayer, whole);
  const cell = (processes: readonly string[], layers: readonly string[]): number =>
    sum(processes.flatMap((name) => layers.map((layer) => breakdown[name]?.layers[layer] ?? 0)));
  const all = ['all', whole, ...columns.map(({ us }) => us)];
  const table = [
    ['layer', 'all', ...columns.map(({ name }) => name)],
    ['---', ...Array.from({ length: columns.length + 1 }, () => '---:')],
    all.map(show),
    ...rows.map((row) => [row.name, row.us, ...columns.map(({ of }) => cell(of, row.of))].map(show)),
  ];
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

type Line = { readonly name: string; readonly us: number; readonly of: readonly string[] };

/** Sorts by cost, and puts those below the limit into one. */
function foldSmall(costs: Readonly<Record<string, number>>, whole: number): readonly Line[] {
  const sorted = Object.entries(costs).toSorted(([, one], [, other]) => other - one);
  const small = sorted.filter(([, us]) => us < NAMED_FROM * whole);
  const named = sorted.slice(0, sorted.length - small.length).map(([name, us]) => ({ name, us, of: [name] }));
  const rest = { name: OTHERS, us: sum(small.map(([, us]) => us)), of: small.map(([name]) => name) };
  return small.length > 0 ? [...named, rest] : named;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const show = (cell: string | number): string =>
  typeof cell === 'string' ? cell : cell === 0 ? '' : cell.toLocaleString('en');

function mapValues<V, R>(all: Readonly<Record<string, V>>, map: (value: V) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, map(value)]));
}
