import { report } from '../long-run.ts';
import { startFlood, type Answered } from '../../support/visitor.ts';

/** The requests of an honest visitor, several times after each other. */
const TIMES = 5;
/** Requests a second of a flood. */
const PER_SECOND = 150;
/**
 * A flood is measured so often at least, each time beside a baseline of its own. Other processes only add to a ratio, so
 * a bound that was missed is tried again, up to so many times.
 */
const ROUNDS = 3;
const MOST_ROUNDS = 8;

export type Outcome = {
  /** Statuses the honest visitor got while the flood lasted. */
  readonly honest: readonly number[];
  /** Middle latency under the flood over that without it, of each round; the least is the least disturbed by others. */
  readonly ratios: readonly number[];
  readonly flood: Readonly<Record<number, number>>;
  /** From the beginning of the first flood to the end of the last one. */
  readonly seconds: number;
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Measures what a flood does to an honest visitor, and reports the figure. */
export async function measureFlood(
  what: string,
  o: {
    honest: () => Promise<Answered>;
    atOnce: number;
    perSecond?: number;
    /** The ratio that one undisturbed round must reach. */
    bound?: number;
    flood: (nth: number) => Promise<{ status: number }>;
  },
): Promise<Outcome> {
  const perSecond = o.perSecond ?? PER_SECOND;
  const askTimes = async () => {
    const answers: Answered[] = [];
    for (let time = 0; time < TIMES; time++) answers.push(await o.honest());
    return answers;
  };
  await askTimes();
  const begunAt = performance.now();
  const rounds: { ratio: number; statuses: number[] }[] = [];
  const flooded: Record<number, number> = {};
  const isMissed = () => o.bound !== undefined && rounds.every(({ ratio }) => ratio > (o.bound ?? 0));
  while (rounds.length < ROUNDS || (rounds.length < MOST_ROUNDS && isMissed())) {
    const alone = await askTimes();
    const flood = startFlood({ atOnce: o.atOnce, perSecond }, o.flood);
    const under = await askTimes();
    for (const [status, count] of Object.entries(await flood.stop()))
      flooded[Number(status)] = (flooded[Number(status)] ?? 0) + count;
    const ratio = median(under.map(({ ms }) => ms)) / median(alone.map(({ ms }) => ms));
    rounds.push({ ratio, statuses: under.map(({ status }) => status) });
  }
  const ratios = rounds.map(({ ratio }) => Number(ratio.toFixed(2))).toSorted((a, b) => a - b);
  report(`${what}: latency of others under ${perSecond} a second / without`, { ratios, flood: flooded });
  const seconds = (performance.now() - begunAt) / 1_000;
  return { honest: rounds.flatMap(({ statuses }) => statuses), ratios, flood: flooded, seconds };
}
