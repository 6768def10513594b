/**
 * Splits a total into equal parts that differ by at most one `unit` and sum to the total; the first parts are the
 * larger ones. A unit above 1 serves gateways that accept only multiples (10 fils of KWD).
 *
 * Returns undefined when the total is not a multiple of the unit or gives some part less than one unit. Throws a
 * RangeError when `parts` is no positive integer or `unit` is not positive.
 */
export function allocate(total: bigint, parts: number, unit = 1n): readonly bigint[] | undefined {
  if (!Number.isSafeInteger(parts) || parts < 1) throw new RangeError('parts must be a positive integer');
  if (unit < 1n) throw new RangeError('unit must be positive');
  const units = total / unit;
  if (units * unit !== total || units < BigInt(parts)) return undefined;

  const share = units / BigInt(parts);
  const larger = Number(units % BigInt(parts));
  return Array.from({ length: parts }, (_, index) => (index < larger ? share + 1n : share) * unit);
}
