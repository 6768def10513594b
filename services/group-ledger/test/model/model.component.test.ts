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
    'with one payment, declines, faults, messages told twice, cancellation, refunds and a capture that is taken back (D6); all of it can be settled',
    async () => expectAllWell(await walks.onePayment, 500_000),
    patience,
  );

  it(
    'with two payers who race for the slots and messages told twice; all of it can be settled',
    async () => expectAllWell(await walks.twoPayers, 1_500_000),
    patience,
  );

  it(
    'with two payers, a fault and refunds, captures that were withdrawn and happen late included (E1, R4), as far as the nearest 1,300,000 states',
    async () => expectNoneBroken(await walks.givingBack, 1_300_000),
    patience,
  );

  it(
    'with one payment that the merchant captures and refunds at the gateway after the end (C8); all of it can be settled',
    async () => expectAllWell(await walks.chargedOutside, 100_000),
    patience,
  );

  it(
    'with everything at once, as far as the nearest 400,000 states',
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
