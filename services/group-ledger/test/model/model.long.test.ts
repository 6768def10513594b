import { describe, expect, it } from '@jest/globals';
import type { Exploration } from './explore.ts';
import { walk, worlds } from './worlds.ts';

/** Two slots, two payers on two gateways, and everything that can happen to them in any order. */
describe('every reachable state keeps every promise', () => {
  const walks = {
    onePayment: walk(worlds.onePayment, Infinity),
    twoPayers: walk(worlds.twoPayers, Infinity),
    givingBack: walk(worlds.givingBack, 1_300_000),
    chargedOutside: walk(worlds.chargedOutside, Infinity),
    organised: walk(worlds.organised, Infinity),
    capturedAtExpiry: walk(worlds.capturedAtExpiry, Infinity),
    chargedAtExpiry: walk(worlds.chargedAtExpiry, Infinity),
    twoAtExpiry: walk(worlds.twoAtExpiry, 1_000_000),
    tipped: walk(worlds.tipped, Infinity),
    tippedOutside: walk(worlds.tippedOutside, Infinity),
    tippedAtExpiry: walk(worlds.tippedAtExpiry, 600_000),
    everything: walk(worlds.everything, 400_000),
  };
  const patience = 600_000;

  it(
    'every reachable state of one payment keeps every invariant and can be settled: declines, faults, repeated messages, cancellation, refunds and a reversed capture (D6)',
    async () => expectAllWell(await walks.onePayment, 500_000),
    patience,
  );

  it(
    'every reachable state of two payers who race for slots keeps every invariant and can be settled',
    async () => expectAllWell(await walks.twoPayers, 1_500_000),
    patience,
  );

  it(
    'the nearest 1,300,000 states of two payers with a fault and refunds keep every invariant, with withdrawn captures that happen late (E1, R4)',
    async () => expectNoneBroken(await walks.givingBack, 1_300_000),
    patience,
  );

  it(
    'every reachable state of a payment that the merchant captures and refunds at the gateway after the end, or while its hold is released, keeps every invariant and can be settled (C8, Q82)',
    async () => expectAllWell(await walks.chargedOutside, 100_000),
    patience,
  );

  it(
    'every reachable state of a payment whose group an organiser extends and cancels, and whose merchant extends it further, keeps every invariant and can be settled (Q84, Q85)',
    async () => expectAllWell(await walks.organised, 400_000),
    patience,
  );

  it(
    'every reachable state of a payment whose group is captured at its expiry, with a fault, a refund and a reversed capture, keeps every invariant and can be settled (Q90)',
    async () => expectAllWell(await walks.capturedAtExpiry, 200_000),
    patience,
  );

  it(
    'every reachable state of a payment whose group is captured at its expiry, and which the merchant captures at the gateway after its release, keeps every invariant and can be settled (C8, Q90)',
    async () => expectAllWell(await walks.chargedAtExpiry, 400_000),
    patience,
  );

  it(
    'the nearest 1,000,000 states of two payers whose group is captured at its expiry keep every invariant, with a fault (Q90)',
    async () => expectNoneBroken(await walks.twoAtExpiry, 1_000_000),
    patience,
  );

  it(
    'every reachable state of a payment with or without a tip, with a refund and a reversed capture, keeps every invariant and can be settled (Q91, Q94)',
    async () => expectAllWell(await walks.tipped, 80_000),
    patience,
  );

  it(
    'every reachable state of a payment with a tip that the merchant captures and refunds at the gateway keeps every invariant and can be settled (C8, Q94)',
    async () => expectAllWell(await walks.tippedOutside, 190_000),
    patience,
  );

  it(
    'the nearest 600,000 states of two payers with tips, whose group is captured at its expiry from a minimum, keep every invariant (Q95)',
    async () => expectNoneBroken(await walks.tippedAtExpiry, 600_000),
    patience,
  );

  it(
    'the nearest 400,000 states of everything at once keep every invariant',
    async () => expectNoneBroken(await walks.everything, 400_000),
    patience,
  );
});

function expectNoneBroken({ broken, states }: Exploration, atLeast: number): void {
  expect(broken).toBeUndefined();
  expect(states).toBeGreaterThanOrEqual(atLeast);
}

function expectAllWell({ broken, stuckWay, isComplete, states }: Exploration, atLeast: number): void {
  expect(broken).toBeUndefined();
  expect(stuckWay).toBeUndefined();
  expect(isComplete).toBe(true);
  expect(states).toBeGreaterThan(atLeast);
}
