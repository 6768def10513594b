import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import type { Exploration } from './explore.ts';
import type { Bounds } from './world.ts';

const onePayment: Bounds = {
  maxIntents: 1,
  maxAttempts: 2,
  maxRefunds: 1,
  maxOutcomes: 3,
  maxRepeats: 1,
  maxFaults: 1,
  maxReversals: 1,
  maxExternals: 0,
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
  maxReversals: 0,
  maxExternals: 0,
  canCancel: false,
  hasAuthentication: false,
};
const givingBack: Bounds = { ...twoPayers, maxRefunds: 1, maxRepeats: 0, maxFaults: 1 };
const chargedOutside: Bounds = {
  ...onePayment,
  maxRefunds: 0,
  maxReversals: 0,
  maxFaults: 0,
  maxExternals: 2,
};
const everything: Bounds = { ...onePayment, maxIntents: 3, maxOutcomes: 2, maxReversals: 0 };

/** Two slots, two payers on two gateways, and everything that can happen to them in any order. */
describe('every reachable state keeps every promise', () => {
  const walks = {
    onePayment: walk(onePayment, Infinity),
    twoPayers: walk(twoPayers, Infinity),
    givingBack: walk(givingBack, 1_300_000),
    chargedOutside: walk(chargedOutside, Infinity),
    everything: walk(everything, 400_000),
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
    'every reachable state of a payment that the merchant captures and refunds at the gateway after the end keeps every invariant and can be settled (C8)',
    async () => expectAllWell(await walks.chargedOutside, 100_000),
    patience,
  );

  it(
    'the nearest 400,000 states of everything at once keep every invariant',
    async () => expectNoneBroken(await walks.everything, 400_000),
    patience,
  );
});

async function walk(bounds: Bounds, maxStates: number): Promise<Exploration> {
  const worker = new Worker(new URL('./explore.worker.ts', import.meta.url), {
    workerData: { bounds, maxStates },
    resourceLimits: { maxOldGenerationSizeMb: 4_096 },
  });
  const [exploration] = (await once(worker, 'message')) as [Exploration];
  return exploration;
}

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
