import { describe, expect, it } from '@jest/globals';
import { explore } from './explore.ts';
import { mutants } from './mutants.ts';
import { latestExpiryMs, type Bounds } from './world.ts';

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
  organiser: null,
  captureMinimum: null,
  maxTipMinor: null,
  hasAuthentication: false,
};
const twoPayments: Bounds = { ...onePayment, maxIntents: 2, maxRepeats: 0, maxFaults: 0, maxReversals: 0 };

describe('a planted bug is caught', () => {
  it.each(mutants)(
    'the model finds the planted bug: $name',
    ({ decide, payments, breaks, may, captureMinimum = null, maxTipMinor = null }) => {
      const latestExpiresAtMs = may?.includes('extend') ? latestExpiryMs : null;
      const organiser = may ? { may, latestExpiresAtMs } : null;
      const of = payments === 1 ? onePayment : twoPayments;
      const bounds = { ...of, organiser, captureMinimum, maxTipMinor };
      const { broken, stuckWay } = explore(decide, bounds, 1_000_000);
      expect(broken?.promise ?? (stuckWay && 'stuck')).toMatch(breaks);
    },
  );
});
