import { describe, expect, it } from '@jest/globals';
import { createGroup, type Distribution, type NewGroup } from './create.ts';

const day = 24 * 60 * 60 * 1_000;

function create(given: Partial<NewGroup>) {
  let ids = 0;
  const command: NewGroup = {
    id: 'group',
    merchantId: 'merchant',
    mode: 'live',
    currency: 'EUR',
    totalMinor: 10_000n,
    expiresAtMs: day,
    distribution: { type: 'equally', numberOfSlots: 3 },
    ...given,
  };
  return createGroup(command, { nowMs: 0, newId: () => `id-${(ids += 1)}` });
}

function amounts(totalMinor: bigint, distribution: Distribution): readonly bigint[] {
  const decision = create({ totalMinor, distribution });
  if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
  return decision.next.slots.map(({ amountMinor }) => amountMinor);
}

function reason(given: Partial<NewGroup>): string | undefined {
  const decision = create(given);
  return decision.kind === 'rejected' ? `${decision.code}: ${decision.message}` : undefined;
}

describe('a new group', () => {
  it('a new group is open with unassigned slots numbered from one, and its expiry is timed', () => {
    const decision = create({});
    if (decision.kind !== 'accepted') throw new Error('rejected');
    expect(decision.next.state).toBe('open');
    expect(decision.next.slots.map(({ sequenceNo, state }) => [sequenceNo, state])).toEqual([
      [1, 'unassigned'],
      [2, 'unassigned'],
      [3, 'unassigned'],
    ]);
    expect(decision.effects).toEqual([
      expect.objectContaining({
        kind: 'timer.set',
        timer: 'group_expiry',
        key: 'expiry:group',
        dueAtMs: day,
      }),
    ]);
    expect(decision.events).toEqual([]);
  });

  it('a new group splits 100.00 EUR in three into 33.34, 33.33, 33.33 (G1)', () => {
    expect(amounts(10_000n, { type: 'equally', numberOfSlots: 3 })).toEqual([3_334n, 3_333n, 3_333n]);
  });

  it('a new group splits 100 JPY in three into 34, 33, 33 (G2)', () => {
    expect(amounts(100n, { type: 'equally', numberOfSlots: 3 })).toEqual([34n, 33n, 33n]);
  });

  it('a new group splits 10.000 KWD in three by ten fils where the gateway takes nothing finer (G3)', () => {
    const distribution = { type: 'equally', numberOfSlots: 3, unitMinor: 10n } as const;
    expect(amounts(10_000n, distribution)).toEqual([3_340n, 3_330n, 3_330n]);
    expect(reason({ totalMinor: 10_005n, distribution })).toMatch(/must be a multiple of/);
  });

  it('a new group takes custom amounts unchanged when they sum to the total', () => {
    expect(amounts(100n, { type: 'custom', amountsMinor: [1n, 99n] })).toEqual([1n, 99n]);
    expect(reason({ totalMinor: 100n, distribution: { type: 'custom', amountsMinor: [1n, 98n] } })).toBe(
      'validation_error: Validation error: distribution: sum of slot amounts must equal total amount',
    );
  });

  it('a new group gives every slot at least one minor unit (G5)', () => {
    expect(reason({ totalMinor: 2n, distribution: { type: 'equally', numberOfSlots: 3 } })).toMatch(
      /divided/,
    );
    expect(reason({ totalMinor: 1n, distribution: { type: 'custom', amountsMinor: [0n, 1n] } })).toMatch(
      /range/,
    );
  });

  it('a new group takes no slot above 99,999,999 minor units and no total that JSON cannot carry (G6)', () => {
    expect(amounts(99_999_999n, { type: 'equally', numberOfSlots: 1 })).toEqual([99_999_999n]);
    expect(reason({ totalMinor: 100_000_000n, distribution: { type: 'equally', numberOfSlots: 1 } })).toMatch(
      /range/,
    );
    expect(reason({ totalMinor: 2n ** 53n })).toMatch(/total_amount/);
  });

  it('a new group has 1 to 30 slots', () => {
    expect(amounts(30n, { type: 'equally', numberOfSlots: 30 })).toHaveLength(30);
    expect(reason({ totalMinor: 31n, distribution: { type: 'equally', numberOfSlots: 31 } })).toMatch(
      /1 to 30/,
    );
    expect(reason({ distribution: { type: 'custom', amountsMinor: [] } })).toMatch(/1 to 30/);
  });

  it('a new group expires in the future and at most seven days ahead', () => {
    expect(reason({ expiresAtMs: 0 })).toMatch(/expires_at: expiry must be in the future/);
    expect(reason({ expiresAtMs: Number.NaN })).toMatch(/expiry must be in the future/);
    expect(reason({ expiresAtMs: 7 * day + 1 })).toMatch(/expiry cannot be more than 7 days in the future/);
    expect(reason({ expiresAtMs: 7 * day })).toBeUndefined();
  });
});
