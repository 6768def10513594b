import { describe, expect, it } from '@jest/globals';
import { decide } from '../../src/domain/index.ts';
import { explore } from './explore.ts';
import type { Bounds } from './world.ts';

const onePayment: Bounds = {
  maxIntents: 1,
  maxAttempts: 2,
  maxRefunds: 1,
  maxOutcomes: 3,
  maxRepeats: 1,
  maxFaults: 1,
  canCancel: true,
  hasAuthentication: true,
};
const twoPayers: Bounds = {
  maxIntents: 2,
  maxAttempts: 1,
  maxRefunds: 0,
  maxOutcomes: 1,
  maxRepeats: 1,
  maxFaults: 0,
  canCancel: false,
  hasAuthentication: false,
};

/** Two slots, two payers on two gateways, and everything that can happen to them in any order. */
describe('every reachable state keeps every promise, and something settled can be reached from it', () => {
  it('with one payment, declines, faults, messages told twice, cancellation and refunds', () => {
    expectAllWell(onePayment, 400_000);
  }, 120_000);

  it('with two payers who race for the slots and messages told twice', () => {
    expectAllWell(twoPayers, 1_000_000);
  }, 120_000);
});

describe('every state within reach of a few dozen steps keeps every promise', () => {
  it('with everything at once', () => {
    const bounds = { ...onePayment, maxIntents: 3, maxOutcomes: 2 };
    const { broken, states } = explore(decide, bounds, 400_000);
    expect(broken).toBeUndefined();
    expect(states).toBeGreaterThanOrEqual(400_000);
  }, 120_000);
});

function expectAllWell(bounds: Bounds, atLeast: number): void {
  const { broken, stuckWay, isComplete, states } = explore(decide, bounds);
  expect(broken).toBeUndefined();
  expect(stuckWay).toBeUndefined();
  expect(isComplete).toBe(true);
  expect(states).toBeGreaterThan(atLeast);
}
