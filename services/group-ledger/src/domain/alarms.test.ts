import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../test/scenario.ts';
import type { Command } from './command.ts';

const { hour, day } = duration;

/** Fires the timer of the key, without any answer, until an operator task opens; returns how long that took. */
function timeUntilTold(o: {
  group: Scenario;
  key: string;
  due: (step: number) => Command;
  unknown: () => unknown;
}): number {
  const { group, key, due, unknown } = o;
  const before = group.alerts.length;
  const begunMs = group.nowMs;
  for (let step = 0; group.alerts.length === before && step < 100; step += 1) {
    unknown();
    group.nowMs = group.timer(key) ?? Infinity;
    group.accepts(due(step));
  }
  return group.nowMs - begunMs;
}

describe('an operation that stays unknown opens an operator task a day after it began (L1)', () => {
  it.each([0.8, 1, 1.2])(
    'an authorisation that stays unknown opens an operator task a day after it began, with jitter %f (L1)',
    (factor) => {
      const group = new Scenario({ expiresInMs: 7 * day }).spreads(factor);
      const intentId = group.reserves('ann', [1]);
      const authorizationId = group.begins(intentId);
      const took = timeUntilTold({
        group,
        key: `query:${authorizationId}`,
        due: (step) => ({ type: 'authorisationQueryDue', intentId, authorizationId, step }),
        unknown: () => group.authorisationIs('unknown', intentId),
      });
      expect(took).toBe(day);
      expect(group.alerts).toEqual(['authorisation_unresolved']);
    },
  );

  it.each([0.8, 1, 1.2])(
    'a capture that stays unknown opens an operator task a day after it began, with jitter %f (L1)',
    (factor) => {
      const group = new Scenario({ slots: [1n] }).spreads(factor);
      const intentId = group.holds('ann');
      const took = timeUntilTold({
        group,
        key: `capture:${intentId}`,
        due: () => ({ type: 'captureRetryDue', intentId }),
        unknown: () => group.captureIs({ status: 'unknown' }, intentId),
      });
      expect(took).toBe(day);
      expect(group.alerts).toEqual(['capture_unresolved']);
    },
  );

  it.each([0.8, 1, 1.2])(
    'a refund that stays unknown opens an operator task a day after it began, with jitter %f (L1)',
    (factor) => {
      const group = new Scenario({ slots: [1n] }).spreads(factor);
      const [intentId] = group.isPaid() as [string];
      group.opensRefund();
      const took = timeUntilTold({
        group,
        key: `refund:${intentId}`,
        due: () => ({ type: 'refundRetryDue', intentId }),
        unknown: () => group.refundIs({ status: 'unknown' }, intentId),
      });
      expect(took).toBe(day);
      expect(group.alerts).toEqual(['refund_unresolved']);
    },
  );
});

it.each([0.8, 1, 1.2])(
  'a void without confirmation opens an operator task after an hour, with jitter %f (C3)',
  (factor) => {
    const group = new Scenario().spreads(factor);
    const intentId = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(intentId);
    group.passes(day).accepts({ type: 'expire' });
    const took = timeUntilTold({
      group,
      key: `void:${authorizationId}`,
      due: () => ({ type: 'voidRetryDue', intentId, authorizationId }),
      unknown: () => group.voidIs({ status: 'unknown' }, intentId),
    });
    expect(took).toBe(hour);
    expect(group.alerts).toEqual(['void_unconfirmed']);
  },
);

it('an operator may have every authorization of a payment queried, however it ended', () => {
  const group = new Scenario();
  const intentId = group.reserves('ann', [1]);
  group.begins(intentId);
  group.declines(intentId);
  group.begins(intentId);
  group.authorises(intentId);
  group.accepts({ type: 'askGateway', intentId });
  const authorizations = group.intent(intentId).authorizations.map(({ id }) => id);
  expect(
    group
      .operations('query', intentId)
      .slice(-2)
      .map(({ authorizationId }) => authorizationId),
  ).toEqual(authorizations);
  expect(group.does({ type: 'askGateway', intentId: 'none' })).toMatchObject({ code: 'not_found' });
});
