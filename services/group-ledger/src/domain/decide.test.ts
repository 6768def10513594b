import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../test/scenario.ts';
import { parseTimer } from './timers/parse-timer.ts';

describe('a decision', () => {
  it('a decision keeps rows that do not change as the very same objects, and the given group untouched', () => {
    const group = new Scenario({ slots: [1n, 1n] });
    const before = group.group;
    const kept = structuredClone(before);
    group.reserves('ann', [1]);
    expect(before).toEqual(kept);
    expect(group.group.slots[1]).toBe(before.slots[1]);
    expect(group.group.slots[0]).not.toBe(before.slots[0]);
    expect(group.group.captures).toBe(before.captures);
  });

  it('a decision has one version for every logged transition', () => {
    const group = new Scenario();
    const before = group.group.version;
    const { transitions } = group.accepts(group.reservation('ann', [1, 2], 'gateway_b'));
    expect(group.group.version).toBe(before + transitions.length);
    expect(transitions.map(({ groupVersion }) => groupVersion)).toEqual([before + 1, before + 2]);
    expect(transitions.every(({ decidedAtMs }) => decidedAtMs === start)).toBe(true);
  });

  it('a decision announces a group event once per version of the group (F6)', () => {
    const group = new Scenario();
    group.isPaid();
    group.opensRefund();
    const keys = group.events.map(({ type, groupVersion }) => `${type}/${groupVersion}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('an event of an intent has what a merchant needs and nothing of the payer (Q7)', () => {
    const group = new Scenario();
    const intent = group.holds('ann', [1]);
    expect(group.events[0]).toEqual({
      id: expect.any(String),
      noun: 'payment_intent',
      type: 'payment_intent.preauthorised',
      sequence: 1,
      groupVersion: expect.any(Number),
      occurredAtMs: start,
      data: {
        paymentIntentId: intent,
        groupPaymentId: 'group',
        state: 'preauthorised',
        pspCode: 'gateway_b',
        amountMinor: 1_000n,
        tipMinor: 0n,
        currency: 'EUR',
        slotIds: [group.slotId(1)],
        isTestMode: true,
        sequence: 1,
        occurredAtMs: start,
      },
    });
  });

  it('an event of a group has its state and its money (Q7)', () => {
    const group = new Scenario();
    group.isPaid();
    expect(group.events.at(-1)?.data).toEqual({
      groupPaymentId: 'group',
      state: 'paid',
      sequence: 6,
      isTestMode: true,
      amountCapturedMinor: 2_000n,
      amountRefundedMinor: 0n,
    });
  });

  it('a decision balances every entry and names its intent, authorization and transition (S8)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const [intentId] = group.isPaid() as [string];
    group.opensRefund();
    group.refunds(intentId);
    const entries = Map.groupBy(group.postings, ({ entryId }) => entryId);
    expect(entries.size).toBe(3);
    for (const legs of entries.values()) {
      expect(legs.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(0n);
    }
    const known = new Set(group.transitions.map(({ id }) => id));
    const authorizationId = group.newestAuthorizationId(intentId);
    expect(
      group.postings.every(
        (posting) => posting.intentId === intentId && posting.authorizationId === authorizationId,
      ),
    ).toBe(true);
    expect(group.postings.every(({ transitionId }) => transitionId !== null && known.has(transitionId))).toBe(
      true,
    );
  });

  it('a decision records a due expiry together with any other command', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    group.passes(duration.day);
    const decision = group.authorises(held);
    expect(decision).toMatchObject({ kind: 'accepted' });
    expect(group.group.state).toBe('expired');
  });
});

describe('timers', () => {
  it('a decision sets each timer key once', () => {
    const group = new Scenario();
    group.reserves('ann', [1, 2], 'gateway_a');
    group.reserves('ann', [1], 'gateway_a');
    group.reserves('bob', [2]);
    for (const command of [group.reservation('ann', [1], 'gateway_b'), { type: 'cancel' } as const]) {
      const keys = group
        .accepts(command)
        .effects.filter(({ kind }) => kind.startsWith('timer'))
        .map((effect) => ('key' in effect ? effect.key : ''));
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('a timer becomes the command it stands for', () => {
    const data = { intentId: 'intent', attemptId: 'attempt', step: 3 };
    const kinds = [
      'group_expiry',
      'reservation',
      'hold_lapse',
      'capture_retry',
      'refund_retry',
      'void_retry',
      'authorisation_query',
    ] as const;
    expect(kinds.map((kind) => parseTimer(kind, data))).toEqual([
      { type: 'expire' },
      { type: 'reservationExpiryDue', intentId: 'intent' },
      { type: 'holdExpiryDue', intentId: 'intent' },
      { type: 'captureRetryDue', intentId: 'intent' },
      { type: 'refundRetryDue', intentId: 'intent' },
      { type: 'voidRetryDue', intentId: 'intent', authorizationId: 'attempt' },
      { type: 'authorisationQueryDue', intentId: 'intent', authorizationId: 'attempt', step: 3 },
    ]);
  });

  it('a timer without the ids it needs becomes no command', () => {
    const data = { intentId: null, attemptId: null, step: 0 };
    expect(() => parseTimer('reservation', data)).toThrow(/does not name/);
  });
});
