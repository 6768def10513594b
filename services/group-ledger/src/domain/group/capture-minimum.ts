/** What must be held for a group to be captured when its time runs out: an amount, or a number of slots. */
export type CaptureMinimum =
  { readonly unit: 'amount'; readonly minor: bigint } | { readonly unit: 'slots'; readonly count: number };

/** Returns why a new group of this total and number of slots cannot have the minimum; undefined when it can. */
export function refuseMinimum(
  minimum: CaptureMinimum,
  { totalMinor, slotCount }: { readonly totalMinor: bigint; readonly slotCount: number },
): { readonly param: string; readonly reason: string } | undefined {
  if (minimum.unit === 'amount') {
    const isPossible = minimum.minor >= 1n && minimum.minor <= totalMinor;
    return isPossible
      ? undefined
      : { param: 'capture_at_expiry.minimum_amount', reason: 'must be above 0 and at most total_amount' };
  }
  const isPossible = Number.isInteger(minimum.count) && minimum.count >= 1 && minimum.count <= slotCount;
  return isPossible
    ? undefined
    : { param: 'capture_at_expiry.minimum_slots', reason: 'must be 1 to the number of slots' };
}
