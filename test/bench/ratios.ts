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

/** One measured value. Its id is a name, or a number of the published goals (P1, P2a …). */
export type Figure = {
  readonly id: string;
  readonly what: string;
  readonly value: string;
  readonly goal: string;
  readonly reached: boolean;
  readonly detail: Readonly<Record<string, number | string>>;
  /** CPU of each process, ms, where docs/sizing.md is computed from it. */
  readonly cpuMs?: Readonly<Record<string, number>>;
};

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));
