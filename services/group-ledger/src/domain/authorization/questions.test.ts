import type { PspCode } from '@gp/gateway-registry';
import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';
import { gatewayFacts } from '../gateway-facts.ts';

const { minute, hour } = duration;

/** The instants, in minutes since the reservation, at which the ledger queries a gateway that never reports. */
function askedAt(pspCode: PspCode, untilMinute: number): number[] {
  const group = new Scenario();
  const startMs = group.nowMs;
  const intentId = group.reserves('ann', [1], pspCode);
  const authorizationId = group.newestAuthorizationId(intentId);
  const asked: number[] = [];
  for (let step = 0; ; step++) {
    const dueAtMs = group.timer(`query:${authorizationId}`);
    if (dueAtMs === undefined || dueAtMs > startMs + untilMinute * minute) return asked;
    group.passes(dueAtMs - group.nowMs);
    group.accepts({ type: 'authorisationQueryDue', intentId, authorizationId, step });
    asked.push((dueAtMs - startMs) / minute);
    group.authorisationIs('unknown', intentId);
  }
}

describe('a payment the payer makes at the gateway itself', () => {
  it('a payment made at gateway_c is queried after 2, 10, 31 and 35 minutes, because its form lives 30 (B6)', () => {
    expect(askedAt('gateway_c', 40)).toEqual([2, 10, 31, 35]);
  });

  it('a payment made at gateway_a is queried soon: a lost callback does not wait for the end of the reservation (B6)', () => {
    expect(askedAt('gateway_a', 60)).toEqual([2, 7, 22, 52]);
  });

  it('a payment made at the gateway is queried hourly afterwards', () => {
    expect(askedAt('gateway_c', 40 + 3 * 60).slice(4)).toEqual([95, 155, 215]);
  });

  it.each(['gateway_a', 'gateway_c'] as const)(
    'a payment on %s keeps its state while its outcome is unknown (R5)',
    (pspCode) => {
      const group = new Scenario();
      const intentId = group.reserves('ann', [1], pspCode);
      expect(group.authorisationIs('unknown', intentId)).toEqual({
        kind: 'ignored',
        reason: 'nothing_known_yet',
      });
      expect(group.intent(intentId)).toMatchObject({ state: 'created', unknown: false });
    },
  );

  it('a query does not prolong the reservation of slots, however often it is made (A6)', () => {
    const group = new Scenario();
    const intentId = group.reserves('ann', [1], 'gateway_a');
    const authorizationId = group.newestAuthorizationId(intentId);
    const found = { type: 'noteAuthorising', intentId, authorizationId, pspReference: null } as const;
    const untilMs = () => group.group.slots[0]?.reservedUntilMs;
    const reserved = untilMs();
    group.passes(5 * minute).accepts({ ...found, isAnswer: true });
    expect([untilMs(), group.intent(intentId).state]).toEqual([reserved, 'processing']);
    expect(group.passes(minute).does({ ...found, isAnswer: true }).kind).toBe('ignored');
    group.accepts(found);
    expect(untilMs()).toBe(group.nowMs + gatewayFacts.gateway_a.reservationTtlMs);
  });

  it('a payment on gateway_c ends at 40 minutes, and only once the gateway reports that nothing was paid (A7)', () => {
    const group = new Scenario();
    const intentId = group.reserves('ann', [1], 'gateway_c');
    group.passes(40 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    expect(group.operations('query', intentId)).toHaveLength(1);
    expect(group.operations('void', intentId)).toHaveLength(0);
    expect(group.slotStates[0]).toBe('assigned');
    group.authorisationIs('absent', intentId);
    expect(group.slotStates[0]).toBe('unassigned');
  });

  it('a payment is kept when the result at 40 minutes is a hold (A7)', () => {
    const group = new Scenario();
    const intentId = group.reserves('ann', [1], 'gateway_c');
    group.passes(40 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    group.authorises(intentId);
    expect(group.slotStates[0]).toBe('preauthorised');
  });

  it('a payment takes its slots again when a hold appears that was reported absent (A8)', () => {
    const group = new Scenario();
    const intentId = group.reserves('ann', [1], 'gateway_c');
    group.passes(hour).accepts({ type: 'reservationExpiryDue', intentId });
    group.authorisationIs('absent', intentId);
    group.authorises(intentId);
    expect(group.intent(intentId).state).toBe('preauthorised');
  });

  it.each([
    ['gateway_a', [7, 22, 52]],
    ['gateway_c', [65, 125, 360, 1_440]],
  ] as const)(
    'a payment on %s is queried again after the gateway reported it absent, at the minutes %j (A8, B6)',
    (pspCode, minutes) => {
      const group = new Scenario({ expiresInMs: 7 * 24 * hour });
      const startMs = group.nowMs;
      const intentId = group.reserves('ann', [1], pspCode);
      const authorizationId = group.newestAuthorizationId(intentId);
      group.passes(2 * minute);
      group.authorisationIs('absent', intentId);
      const asked: number[] = [];
      const nextMs = () => group.timer(`query:${authorizationId}`) ?? 0;
      for (let dueAtMs = nextMs(); dueAtMs > group.nowMs; dueAtMs = nextMs()) {
        group.passes(dueAtMs - group.nowMs);
        const before = group.operations('query', intentId).length;
        group.accepts({ type: 'authorisationQueryDue', intentId, authorizationId, step: 0 });
        expect(group.operations('query', intentId)).toHaveLength(before + 1);
        asked.push((dueAtMs - startMs) / minute);
        group.authorisationIs('absent', intentId);
      }
      expect(asked).toEqual(minutes);
    },
  );

  it('a payment is voided when a query after its group closed finds a hold that was never reported (C1)', () => {
    const group = new Scenario({ expiresInMs: 10 * minute });
    const intentId = group.reserves('ann', [1], 'gateway_c');
    group.passes(40 * minute);
    group.authorisationIs('absent', intentId);
    group.passes(25 * minute);
    group.authorises(intentId);
    expect(group.operations('void', intentId)).toHaveLength(1);
  });

  it('a payment that could not be prepared is not voided again and again (A7)', () => {
    const group = new Scenario();
    const intentId = group.reserves('ann', [1], 'gateway_a');
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    const failure = { code: 'no_payable_slots', message: 'ended', retryable: false };
    group.accepts({ type: 'release', intentId, failure });
    expect(group.timer(`void:${group.newestAuthorizationId(intentId)}`)).toBeDefined();
    expect(group.voidIs({ status: 'absent' }, intentId).kind).toBe('accepted');
    expect(group.timer(`void:${group.newestAuthorizationId(intentId)}`)).toBeUndefined();
  });

  it('a payment is not queried once it could not be prepared', () => {
    const group = new Scenario();
    const intentId = group.reserves('ann', [1], 'gateway_c');
    const failure = { code: 'gateway_error', message: 'no', retryable: true };
    group.accepts({ type: 'release', intentId, failure });
    expect(group.timer(`query:${group.newestAuthorizationId(intentId)}`)).toBeUndefined();
  });
});
