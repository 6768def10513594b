import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../../test/scenario.ts';
import { createGroup } from './create.ts';
import type { Group } from './group.ts';

const limits = { nowMs: start, newId: () => 'id' };
const command = {
  id: 'group',
  merchantId: 'merchant',
  mode: 'test',
  currency: 'EUR',
  totalMinor: 2_000n,
  expiresAtMs: start + duration.day,
  distribution: { type: 'equally', numberOfSlots: 2 },
} as const;

/** A group of two slots of 10.00 whose payers may add up to 5.00 each. */
const tippable = (o: ConstructorParameters<typeof Scenario>[0] = {}) =>
  new Scenario({ maxTipMinor: 500n, ...o });
const accounts = (group: Scenario) => ({
  held: group.balance('group:held'),
  captured: group.balance('merchant:captured'),
  tips: group.balance('merchant:tips'),
  refunded: group.balance('payer:refunded'),
});

describe('what a creation allows', () => {
  it.each([1n, 99_999_999n])(
    'payers may add up to %d minor units where the creation says so (Q91)',
    (maxTipMinor) => {
      expect(createGroup({ ...command, maxTipMinor }, limits)).toMatchObject({ next: { maxTipMinor } });
    },
  );

  it('a creation that says nothing of tips allows none (Q91)', () => {
    expect(createGroup(command, limits)).toMatchObject({ next: { maxTipMinor: null } });
  });

  it.each([0n, -1n, 100_000_000n])('a limit of %d minor units is refused (Q91)', (maxTipMinor) => {
    expect(createGroup({ ...command, maxTipMinor }, limits)).toMatchObject({
      kind: 'rejected',
      code: 'validation_error',
      param: 'tips.max_amount',
    });
  });
});

describe('a payment with a tip', () => {
  it('a tip is a part of the payment that is held and captured, and of no slot and no total (Q91)', () => {
    const group = tippable();
    const ann = group.reserves('ann', [1], 'gateway_b', 250n);
    expect(group.intent(ann)).toMatchObject({ amountMinor: 1_250n, tipMinor: 250n });
    group.begins(ann);
    group.authorises(ann);
    expect(group.events.at(-1)).toMatchObject({ data: { amountMinor: 1_250n, tipMinor: 250n } });
    group.holds('bob', [2]);
    expect(group.lastOperation('capture', ann).amountMinor).toBe(1_250n);
    expect(group.group.slots.map(({ amountMinor }) => amountMinor)).toEqual([1_000n, 1_000n]);
    expect(group.group.totalMinor).toBe(2_000n);
  });

  it('a payment is for all of its slots and one tip (Q91)', () => {
    const group = tippable();
    const ann = group.reserves('ann', undefined, 'gateway_b', 500n);
    expect(group.intent(ann)).toMatchObject({ amountMinor: 2_500n, tipMinor: 500n });
  });

  it('a hold of the slots without the tip is no hold of the payment and is voided (Q91)', () => {
    const group = tippable();
    const ann = group.reserves('ann', [1], 'gateway_b', 250n);
    const authorizationId = group.begins(ann);
    group.authorises(ann, authorizationId, 1_000n);
    expect(group.operations('void', ann)).toHaveLength(1);
    expect(group.alerts).toContain('amount_mismatch');
  });

  const refused = (group: Scenario, tipMinor: bigint, pspCode: 'gateway_a' | 'gateway_b' = 'gateway_b') =>
    expect(group.does(group.reservation('ann', [1], pspCode, tipMinor)));

  it.each([501n, -1n])(
    'a tip of %d minor units is refused where 500 are allowed, and takes no slot (Q91)',
    (tip) => {
      const group = tippable();
      refused(group, tip).toMatchObject({
        kind: 'rejected',
        code: 'validation_error',
        param: 'tip',
        message: 'Validation error: tip: must be above 0 and at most 5.00 EUR',
      });
      expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    },
  );

  it('a tip is refused where the creation allows none (Q91)', () => {
    refused(new Scenario(), 1n).toMatchObject({
      kind: 'rejected',
      code: 'validation_error',
      message: 'Validation error: tip: the group payment takes no tips',
    });
  });

  it('a tip that makes a payment larger than gateways take is refused (Q91)', () => {
    const group = tippable({ slots: [99_999_998n, 1n] });
    refused(group, 1n).toMatchObject({ kind: 'accepted' });
    const other = tippable({ slots: [99_999_998n, 1n] });
    refused(other, 2n).toMatchObject({ kind: 'rejected', param: 'tip' });
  });

  it('a tip that leaves the steps of the gateway is refused (G3, Q91)', () => {
    const inDinars = (): Scenario => {
      const group = tippable();
      group.group = { ...group.group, currency: 'KWD' } satisfies Group;
      return group;
    };
    refused(inDinars(), 15n, 'gateway_a').toMatchObject({
      kind: 'rejected',
      message:
        'Validation error: tip: must make the payment a multiple of 0.010 KWD, the smallest step of the payment gateway',
    });
    refused(inDinars(), 20n, 'gateway_a').toMatchObject({ kind: 'accepted' });
    refused(inDinars(), 15n, 'gateway_b').toMatchObject({ kind: 'accepted' });
  });
});

describe('a payer who comes again', () => {
  it('the same slots with the same tip are the same payment (A11, Q92)', () => {
    const group = tippable();
    const ann = group.reserves('ann', [1], 'gateway_b', 250n);
    expect(group.does(group.reservation('ann', [1], 'gateway_b', 250n))).toMatchObject({ kind: 'ignored' });
    expect(group.reserves('ann', [1], 'gateway_b', 250n)).toBe(ann);
  });

  it.each([0n, 100n, 500n])(
    'the same slots with a tip of %d instead of 250 are a new payment, and the one before is withdrawn (A11, Q92)',
    (tipMinor) => {
      const group = tippable();
      const first = group.reserves('ann', [1], 'gateway_a', 250n);
      const second = group.reserves('ann', [1], 'gateway_a', tipMinor);
      expect(second).not.toBe(first);
      expect(group.intent(first)).toMatchObject({ state: 'void_pending', supersededBy: second });
      expect(group.intent(second)).toMatchObject({ tipMinor, amountMinor: 1_000n + tipMinor });
      expect(group.operations('void', first)).toHaveLength(1);
    },
  );

  it('a payer who names no slots comes back to the tip that he names (Q92)', () => {
    const group = tippable();
    const first = group.reserves('ann', undefined, 'gateway_b', 250n);
    expect(group.reserves('ann', undefined, 'gateway_b', 250n)).toBe(first);
    expect(group.reserves('ann', undefined, 'gateway_b', 0n)).not.toBe(first);
  });
});

describe('the books of a payment with a tip', () => {
  /** Ann has paid the first slot with a tip of 2.50, and Bob the second without one. */
  function paid() {
    const group = tippable();
    const ann = group.holds('ann', [1], 250n);
    const bob = group.holds('bob', [2]);
    return { group, ann, bob };
  }
  const refundOutside = (group: Scenario, intentId: string, amountMinor: bigint) =>
    group.accepts({ type: 'recordExternalRefund', intentId, refundId: `r${amountMinor}`, amountMinor });

  it('a tip is held with its slots, and booked on an account of its own when it is captured (Q93)', () => {
    const { group, ann, bob } = paid();
    expect(accounts(group)).toEqual({ held: 2_250n, captured: 0n, tips: 0n, refunded: 0n });
    group.captures(ann);
    group.captures(bob);
    expect(accounts(group)).toEqual({ held: 0n, captured: 2_000n, tips: 250n, refunded: 0n });
    expect(group.group.state).toBe('paid');
  });

  it.each([
    [1_250n, 1_000n, 250n],
    [1_100n, 1_000n, 100n],
    [1_000n, 1_000n, 0n],
    [400n, 400n, 0n],
  ])('a capture of %d minor units of a hold of 1250 covers the slot first (Q94)', (minor, captured, tips) => {
    const { group, ann } = paid();
    group.captures(ann, minor);
    expect(accounts(group)).toMatchObject({ captured, tips });
  });

  it.each([[undefined], [[1]]])(
    'a refund gives a payment back with its tip, by slot as well: %j (Q94)',
    (slots) => {
      const { group, ann, bob } = paid();
      group.captures(ann);
      group.captures(bob);
      group.opensRefund(slots);
      expect(group.lastOperation('refund', ann).amountMinor).toBe(1_250n);
      group.refunds(ann);
      expect(accounts(group)).toMatchObject({ captured: 1_000n, tips: 0n, refunded: 1_250n });
    },
  );

  it('a refund of a part at the gateway takes the money of the slots first, and the tip goes with the rest (Q94)', () => {
    const { group, ann, bob } = paid();
    group.captures(ann);
    group.captures(bob);
    refundOutside(group, ann, 900n);
    expect(accounts(group)).toMatchObject({ captured: 1_100n, tips: 250n, refunded: 900n });
    refundOutside(group, ann, 200n);
    expect(accounts(group)).toMatchObject({ captured: 1_000n, tips: 150n, refunded: 1_100n });
    group.accepts({ type: 'reverseExternalRefund', intentId: ann, amountMinor: 150n });
    expect(accounts(group)).toMatchObject({ captured: 1_050n, tips: 250n, refunded: 950n });
    refundOutside(group, ann, 300n);
    expect(accounts(group)).toMatchObject({ captured: 1_000n, tips: 0n, refunded: 1_250n });
    expect(group.intent(ann).state).toBe('refunded');
  });

  it('a refund that came back brings the tip back (Q94)', () => {
    const { group, ann, bob } = paid();
    group.captures(ann);
    group.captures(bob);
    group.opensRefund([1]);
    group.refunds(ann);
    group.accepts({ type: 'reverseRefund', intentId: ann });
    expect(accounts(group)).toMatchObject({ captured: 2_000n, tips: 250n, refunded: 0n });
  });

  it('a capture that the card scheme takes back takes the tip back (Q94)', () => {
    const { group, ann, bob } = paid();
    group.captures(ann);
    group.captures(bob);
    group.accepts({ type: 'reverseCapture', intentId: ann });
    expect(accounts(group)).toEqual({ held: 0n, captured: 1_000n, tips: 0n, refunded: 0n });
  });

  it('a charge of a released hold is booked with its tip (C8, Q93)', () => {
    const group = tippable();
    const ann = group.holds('ann', [1], 250n);
    const authorizationId = group.newestAuthorizationId(ann);
    group.passes(duration.day).accepts({ type: 'expire' });
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_250n });
    expect(accounts(group)).toEqual({ held: 0n, captured: 1_000n, tips: 250n, refunded: 0n });
  });
});

describe('the minimum of a capture at the expiry', () => {
  it.each([
    [1_001n, 'expired'],
    [1_000n, 'capturing'],
  ] as const)('a minimum of %d counts slots and no tips: the group is then %s (Q95)', (minor, state) => {
    const group = tippable({ captureMinimum: { unit: 'amount', minor } });
    group.holds('ann', [1], 500n);
    group.passes(duration.day).accepts({ type: 'expire' });
    expect(group.group.state).toBe(state);
  });
});
