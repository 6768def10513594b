/** How many lines an axis has above its zero, at most. */
const MOST_LINES = 5;
const STEPS = [1, 2, 2.5, 5, 10] as const;

/**
 * Returns the values of an axis' lines from zero to at least `highest`, at equal and round distances. Where `isWhole`, all are
 * integers. An axis without values ends at 1.
 */
export function listTicks(highest: number, { isWhole }: { readonly isWhole: boolean }): number[] {
  const top = highest > 0 ? highest : 1;
  const power = 10 ** Math.floor(Math.log10(top / MOST_LINES));
  const steps = STEPS.map((step) => step * power).filter((step) => !isWhole || Number.isInteger(step));
  const step = steps.find((each) => each * MOST_LINES >= top) ?? 1;
  // A product and not a sum: a sum of tenths is not round.
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(12)),
  );
}

/** Returns the places of the columns that have a name below them: the first, and others at equal distances, `most` at most. */
export function pickNamed(count: number, most: number): number[] {
  const distance = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / distance) }, (_, index) => index * distance);
}
