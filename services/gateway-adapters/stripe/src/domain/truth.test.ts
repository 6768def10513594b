import { describe, expect, it } from '@jest/globals';
import { deriveTruth, type IntentView } from './truth.ts';

const captured: IntentView = {
  ...{ id: 'pi_1', status: 'succeeded', cancellationReason: null, amount: 1_500n, amountCapturable: 0n },
  ...{ amountReceived: 1_500n, currency: 'EUR', lastError: null, refunds: [], disputes: [] },
  charge: { amount: 1_500n, wasDisputed: true, captureBefore: null },
};
const isDisputed = (disputes: readonly string[]) => deriveTruth({ ...captured, disputes }).isDisputed;

describe('a payment whose charge the gateway calls disputed for ever (E11)', () => {
  it.each(['won', 'warning_closed', 'prevented'])(
    'a charge that stays disputed at the gateway is not disputed once its dispute is %s (E11)',
    (status) => expect(isDisputed([status])).toBe(false),
  );

  it.each(['needs_response', 'under_review', 'warning_needs_response', 'lost', 'a later status'])(
    'a charge that stays disputed is disputed while its dispute is %s (E11)',
    (status) => expect(isDisputed([status])).toBe(true),
  );

  it('a charge that stays disputed is disputed while one of several disputes is (E11)', () => {
    expect(isDisputed(['won', 'needs_response'])).toBe(true);
    expect(isDisputed(['won', 'won'])).toBe(false);
  });

  it('a charge without a dispute reports none (E11)', () => {
    const charge = { amount: 1_500n, wasDisputed: false, captureBefore: null };
    expect(deriveTruth({ ...captured, charge }).isDisputed).toBeNull();
  });
});
