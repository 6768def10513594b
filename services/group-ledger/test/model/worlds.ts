import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Exploration } from './explore.ts';
import { latestExpiryMs, type Bounds } from './world.ts';

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
  organiser: null,
  captureMinimum: null,
  maxTipMinor: null,
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
  organiser: null,
  captureMinimum: null,
  maxTipMinor: null,
  hasAuthentication: false,
};

/** Worlds of two slots and two payers on two gateways, by what may happen to them. */
export const worlds = {
  onePayment,
  twoPayers,
  givingBack: { ...twoPayers, maxRefunds: 1, maxRepeats: 0, maxFaults: 1 },
  chargedOutside: { ...onePayment, maxRefunds: 0, maxReversals: 0, maxFaults: 0, maxExternals: 2 },
  organised: {
    ...onePayment,
    maxRefunds: 0,
    maxReversals: 0,
    maxRepeats: 0,
    canCancel: false,
    organiser: { may: ['extend', 'cancel'], latestExpiresAtMs: latestExpiryMs },
  },
  capturedAtExpiry: { ...onePayment, maxRepeats: 0, captureMinimum: { unit: 'slots', count: 1 } },
  chargedAtExpiry: {
    ...onePayment,
    maxRefunds: 0,
    maxReversals: 0,
    maxFaults: 0,
    maxExternals: 2,
    captureMinimum: { unit: 'slots', count: 1 },
  },
  twoAtExpiry: { ...twoPayers, maxRepeats: 0, maxFaults: 1, captureMinimum: { unit: 'amount', minor: 10n } },
  tipped: { ...onePayment, maxRepeats: 0, maxFaults: 0, maxTipMinor: 3n },
  tippedOutside: {
    ...onePayment,
    maxAttempts: 1,
    maxRefunds: 0,
    maxRepeats: 0,
    maxFaults: 0,
    maxReversals: 0,
    maxExternals: 2,
    maxTipMinor: 3n,
  },
  tippedAtExpiry: {
    ...twoPayers,
    maxRepeats: 0,
    captureMinimum: { unit: 'amount', minor: 20n },
    maxTipMinor: 10n,
  },
  everything: { ...onePayment, maxIntents: 3, maxOutcomes: 2, maxReversals: 0 },
} satisfies Record<string, Bounds>;

/** Explores a world in a thread of its own, the nearest states first, until it has seen `maxStates`. */
export async function walk(bounds: Bounds, maxStates: number): Promise<Exploration> {
  const worker = new Worker(new URL('./explore.worker.ts', import.meta.url), {
    workerData: { bounds, maxStates },
    resourceLimits: { maxOldGenerationSizeMb: 4_096 },
  });
  const [exploration] = (await once(worker, 'message')) as [Exploration];
  return exploration;
}
