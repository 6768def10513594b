import type { PspCode } from '@gp/gateway-registry';

type OfGateway = { readonly pspCode: PspCode; readonly currency: string };
/** 0 is the time before the first day, n the n-th day. */
type OfDay = { readonly bucket: number };

/** Sums of the legs of postings, by account and direction: minor units, never negative. */
export type LegSums = {
  readonly heldIn: bigint;
  readonly heldOut: bigint;
  readonly capturedIn: bigint;
  readonly capturedOut: bigint;
  readonly refundedIn: bigint;
  readonly refundedOut: bigint;
  /** Parts of what is in `capturedIn` and `capturedOut`. */
  readonly tipsIn: bigint;
  readonly tipsOut: bigint;
};
export type LegSumRow = OfGateway & OfDay & LegSums;
export type DisputeRow = OfGateway & OfDay & { readonly disputedMinor: bigint };

/** Money that moved, minor units. */
export type Movements = {
  readonly heldMinor: bigint;
  readonly releasedMinor: bigint;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly returnedMinor: bigint;
  readonly reversedMinor: bigint;
  readonly disputedMinor: bigint;
  /** By how much the tips among the net amount grew; negative where more went back than came. */
  readonly tipsMovedMinor: bigint;
};
/** Money that is on hold, and that was captured and did not go back. */
export type Standing = {
  readonly onHoldMinor: bigint;
  readonly netMinor: bigint;
  /** How much of the net amount is tips. */
  readonly tipsMinor: bigint;
};

export type Statement = OfGateway & {
  /** Everything before the first day. */
  readonly before: Movements;
  readonly opening: Standing;
  /** Of all days. */
  readonly movements: Movements;
  readonly closing: Standing;
  /** Days with a movement, oldest first, with the standing at their end. */
  readonly days: readonly (Movements & Standing & { readonly day: string })[];
};

const nothing: Movements = {
  heldMinor: 0n,
  releasedMinor: 0n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  returnedMinor: 0n,
  reversedMinor: 0n,
  disputedMinor: 0n,
  tipsMovedMinor: 0n,
};

/**
 * Tells movements from the sums of one side of each account. A refund goes from merchant:captured to payer:refunded, a refund
 * that came back the other way; the rest of what leaves merchant:captured was reversed, and the rest of what enters it was
 * captured. What leaves group:held and was not captured was released.
 */
export function toMovements(sums: LegSums, disputedMinor = 0n): Movements {
  const capturedMinor = sums.capturedIn - sums.refundedOut;
  return {
    heldMinor: sums.heldIn,
    releasedMinor: sums.heldOut - capturedMinor,
    capturedMinor,
    refundedMinor: sums.refundedIn,
    returnedMinor: sums.refundedOut,
    reversedMinor: sums.capturedOut - sums.refundedIn,
    disputedMinor,
    tipsMovedMinor: sums.tipsIn - sums.tipsOut,
  };
}

/** Returns the standing after movements. */
export function moveStanding({ onHoldMinor, netMinor, tipsMinor }: Standing, m: Movements): Standing {
  return {
    onHoldMinor: onHoldMinor + m.heldMinor - m.releasedMinor - m.capturedMinor,
    netMinor: netMinor + m.capturedMinor - m.refundedMinor + m.returnedMinor - m.reversedMinor,
    tipsMinor: tipsMinor + m.tipsMovedMinor,
  };
}

/** Builds a statement for each gateway and currency of the rows, in the order of their names. */
export function buildStatements(
  days: readonly string[],
  sums: readonly LegSumRow[],
  disputes: readonly DisputeRow[] = [],
): Statement[] {
  const names = new Map([...sums, ...disputes].map((row) => [nameOf(row), row]));
  return [...names]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { pspCode, currency }]) => {
      const ofName = <Row extends OfGateway>(rows: readonly Row[]) =>
        rows.filter((row) => nameOf(row) === name);
      return { pspCode, currency, ...buildStatement(days, listMovements(ofName(sums), ofName(disputes))) };
    });
}

const nameOf = ({ pspCode, currency }: OfGateway): string => `${pspCode} ${currency}`;

/** Returns the movements by bucket. */
function listMovements(sums: readonly LegSumRow[], disputes: readonly DisputeRow[]): Map<number, Movements> {
  const moved = new Map(sums.map((row) => [row.bucket, toMovements(row)]));
  for (const { bucket, disputedMinor } of disputes)
    moved.set(bucket, { ...(moved.get(bucket) ?? nothing), disputedMinor });
  return moved;
}

function buildStatement(days: readonly string[], moved: ReadonlyMap<number, Movements>) {
  const before = moved.get(0) ?? nothing;
  const opening = moveStanding({ onHoldMinor: 0n, netMinor: 0n, tipsMinor: 0n }, before);
  let closing = opening;
  let movements = nothing;
  const listed: (Movements & Standing & { day: string })[] = [];
  for (const [index, day] of days.entries()) {
    const ofDay = moved.get(index + 1);
    if (!ofDay) continue;
    closing = moveStanding(closing, ofDay);
    movements = addMovements(movements, ofDay);
    listed.push({ day, ...ofDay, ...closing });
  }
  return { before, opening, movements, closing, days: listed };
}

function addMovements(a: Movements, b: Movements): Movements {
  return {
    heldMinor: a.heldMinor + b.heldMinor,
    releasedMinor: a.releasedMinor + b.releasedMinor,
    capturedMinor: a.capturedMinor + b.capturedMinor,
    refundedMinor: a.refundedMinor + b.refundedMinor,
    returnedMinor: a.returnedMinor + b.returnedMinor,
    reversedMinor: a.reversedMinor + b.reversedMinor,
    disputedMinor: a.disputedMinor + b.disputedMinor,
    tipsMovedMinor: a.tipsMovedMinor + b.tipsMovedMinor,
  };
}
