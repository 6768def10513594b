import type { Breakdown } from './breakdown/breakdown.ts';

export type Spread = { readonly median: number; readonly min: number; readonly max: number };

/** Median and spread of what the rounds of one run gave. */
export function computeSpread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
  return { median, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}

/** Subject over reference, round by round: both saw the same weather. */
export function ratios(subject: readonly number[], reference: readonly number[]): Spread {
  return computeSpread(subject.map((value, round) => value / (reference[round] ?? NaN)));
}

/** One measured value. Its id is a name, or a number of the published goals (P1, P2a …). An empty goal is none. */
export type Figure = {
  readonly id: string;
  readonly what: string;
  readonly value: string;
  readonly goal: string;
  readonly reached: boolean;
  readonly detail: Readonly<Record<string, number | string>>;
  /** CPU of each process, ms, where docs/sizing.md is computed from it. */
  readonly cpuMs?: Readonly<Record<string, number>>;
  /** The cost by process and layer, of a measure that has no goal. */
  readonly breakdown?: Breakdown;
};

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** A goal for the ratio of two rates. */
export type RatioGoal = { readonly id: string; readonly what: string; readonly goal: number };

/** Builds the figure of a subject's rates over a reference's, both a second and round by round. */
export function compare(
  { id, what, goal }: RatioGoal,
  subject: readonly number[],
  reference: readonly number[],
): Figure {
  const ratio = ratios(subject, reference);
  const [ours, theirs] = [subject, reference].map((rates) => round(computeSpread(rates).median, 0));
  return {
    ...{ id, what },
    value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}), ${ours}/s against ${theirs}/s`,
    goal: `≥${goal}`,
    reached: ratio.median >= goal,
    detail: { ratio: round(ratio.median, 3), ours: ours ?? NaN, reference: theirs ?? NaN },
  };
}

/** Builds the figure of a measure that wants a program which is not installed. */
export function notRun({ id, what, goal }: RatioGoal, program: string): Figure {
  const value = `NOT RUN: ${program} is not installed`;
  return { id, what, value, goal: `≥${goal}`, reached: false, detail: {} };
}
