import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.ts';
import { mutants } from './mutants.ts';
import type { Bounds } from './world.ts';

const onePayment: Bounds = {
  maxIntents: 1,
  maxAttempts: 2,
  maxRefunds: 1,
  maxOutcomes: 2,
  maxRepeats: 1,
  maxFaults: 1,
  maxReversals: 1,
  maxExternals: 0,
  canCancel: false,
  hasAuthentication: false,
};
const twoPayments: Bounds = { ...onePayment, maxIntents: 2, maxRepeats: 0, maxFaults: 0, maxReversals: 0 };

describe('a planted bug is caught', () => {
  it.each(mutants)('the model finds the planted bug: $name', ({ decide, payments, breaks }) => {
    const { broken, stuckWay } = explore(decide, payments === 1 ? onePayment : twoPayments, 1_000_000);
    expect(broken?.promise ?? (stuckWay && 'stuck')).toMatch(breaks);
  });
});
