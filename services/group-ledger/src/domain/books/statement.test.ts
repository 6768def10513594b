import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildStatements, toMovements, type LegSums, type LegSumRow } from './statement.ts';

const NOTHING: LegSums = {
  heldIn: 0n,
  heldOut: 0n,
  capturedIn: 0n,
  capturedOut: 0n,
  refundedIn: 0n,
  refundedOut: 0n,
  tipsIn: 0n,
  tipsOut: 0n,
};
/** The side of each account that an entry of an amount shows. */
const entries = {
  held: (minor: bigint) => ({ heldIn: minor }),
  released: (minor: bigint) => ({ heldOut: minor }),
  captured: (minor: bigint) => ({ heldOut: minor, capturedIn: minor }),
  refunded: (minor: bigint) => ({ capturedOut: minor, refundedIn: minor }),
  returned: (minor: bigint) => ({ refundedOut: minor, capturedIn: minor }),
  reversed: (minor: bigint) => ({ capturedOut: minor }),
} satisfies Record<string, (minor: bigint) => Partial<LegSums>>;
type Kind = keyof typeof entries;
const KINDS = Object.keys(entries) as Kind[];

function add(a: LegSums, b: Partial<LegSums>): LegSums {
  const sums = Object.entries(a).map(([name, minor]) => [name, minor + (b[name as keyof LegSums] ?? 0n)]);
  return Object.fromEntries(sums) as LegSums;
}

const rowOf = (bucket: number, sums: LegSums): LegSumRow => ({
  pspCode: 'gateway_a',
  currency: 'EUR',
  bucket,
  ...sums,
});
const moves = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    minor: fc.bigInt({ min: 1n, max: 10n ** 15n }),
    day: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 20 },
);

describe('a statement', () => {
  it.each(KINDS)('the legs of an amount that was %s count as that movement and as no other (Q47)', (kind) => {
    const others = KINDS.filter((each) => each !== kind).map((each) => [`${each}Minor`, 0n]);
    const moved = toMovements(add(NOTHING, entries[kind](7n)));
    expect(moved).toEqual({
      ...Object.fromEntries(others),
      [`${kind}Minor`]: 7n,
      disputedMinor: 0n,
      tipsMovedMinor: 0n,
    });
  });

  it('opening balance and movements add up to the closing balance, and each day follows the one before (Q47)', () => {
    const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
    fc.assert(
      fc.property(moves, (all) => {
        const byDay = Map.groupBy(all, ({ day }) => day);
        const rows = [...byDay].map(([day, ofDay]) =>
          rowOf(
            day,
            ofDay.reduce((sums, { kind, minor }) => add(sums, entries[kind](minor)), NOTHING),
          ),
        );
        const total = (kind: Kind, isOf: (day: number) => boolean) =>
          all
            .filter((each) => each.kind === kind && isOf(each.day))
            .reduce((sum, { minor }) => sum + minor, 0n);
        const standing = (until: number) => {
          const sum = (kind: Kind) => total(kind, (day) => day <= until);
          return {
            onHoldMinor: sum('held') - sum('released') - sum('captured'),
            netMinor: sum('captured') - sum('refunded') + sum('returned') - sum('reversed'),
          };
        };
        const [statement] = buildStatements(days, rows);
        if (all.length === 0) return expect(statement).toBeUndefined();
        expect(statement).toMatchObject({ opening: standing(0), closing: standing(3) });
        for (const kind of KINDS)
          expect(statement?.movements[`${kind}Minor`]).toBe(total(kind, (day) => day > 0));
        for (const day of statement?.days ?? [])
          expect(day).toMatchObject(standing(days.indexOf(day.day) + 1));
        expect(statement?.days.map(({ day }) => day)).toEqual(
          days.filter((_, index) => byDay.has(index + 1)),
        );
      }),
    );
  });

  it('tips are a part of the net amount, which a day changes by what came and went of them (Q93)', () => {
    const captured = add(NOTHING, { heldOut: 130n, capturedIn: 130n, tipsIn: 30n });
    const refunded = add(NOTHING, { capturedOut: 65n, tipsOut: 15n, refundedIn: 65n });
    const days = ['2026-01-01', '2026-01-02'];
    const [statement] = buildStatements(days, [rowOf(0, captured), rowOf(2, refunded)]);
    expect(statement).toMatchObject({
      opening: { netMinor: 130n, tipsMinor: 30n },
      closing: { netMinor: 65n, tipsMinor: 15n },
      days: [{ day: '2026-01-02', netMinor: 65n, tipsMinor: 15n }],
    });
  });

  it('gateways and currencies have statements of their own; a dispute alone makes a day (Q46)', () => {
    const held = add(NOTHING, entries.held(5n));
    const sums = [
      rowOf(1, held),
      { ...rowOf(1, held), currency: 'BHD' },
      { ...rowOf(0, held), pspCode: 'gateway_b' as const },
    ];
    const dispute = { pspCode: 'gateway_b' as const, currency: 'EUR', bucket: 1, disputedMinor: 3n };
    const statements = buildStatements(['2026-01-01'], sums, [dispute]);
    expect(statements.map(({ pspCode, currency }) => [pspCode, currency])).toEqual([
      ['gateway_a', 'BHD'],
      ['gateway_a', 'EUR'],
      ['gateway_b', 'EUR'],
    ]);
    expect(statements[2]).toMatchObject({
      opening: { onHoldMinor: 5n },
      closing: { onHoldMinor: 5n },
      days: [{ day: '2026-01-01', disputedMinor: 3n, onHoldMinor: 5n }],
    });
  });
});
