import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../../test/scenario.ts';

const { day } = duration;

describe('an expiry with a minimum', () => {
  /** Three slots of 10.00 of which half of the total is enough. */
  const half = {
    slots: [1_000n, 1_000n, 1_000n],
    captureMinimum: { unit: 'amount', minor: 1_500n },
  } as const;

  it('an expiry captures what is held once it reaches the minimum, and closes the other slots (Q90)', () => {
    const group = new Scenario(half);
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    const cem = group.reserves('cem', [3], 'gateway_a');
    group.passes(day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('capturing');
    expect(group.slotStates).toEqual(['preauthorised', 'preauthorised', 'expired']);
    expect(group.operations('capture').map(({ intentId }) => intentId)).toEqual([ann, bob]);
    expect(group.operations('void', ann)).toEqual([]);
    expect(group.operations('void', cem)).toHaveLength(1);
    group.captures(ann);
    group.captures(bob);
    expect(group.group.state).toBe('partially_paid');
    expect(group.slotStates).toEqual(['captured', 'captured', 'expired']);
    expect(group.history).toEqual(['open', 'partially_preauthorised', 'capturing', 'partially_paid']);
    expect(group.eventTypes.filter((type) => type.startsWith('group_payment'))).toEqual([
      'group_payment.partially_paid',
    ]);
    expect(group.balance('merchant:captured')).toBe(2_000n);
    expect(group.balance('group:held')).toBe(0n);
  });

  it('an expiry releases everything when less than the minimum is held (Q90)', () => {
    const group = new Scenario(half);
    const ann = group.holds('ann', [1]);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('expired');
    expect(group.operations('capture')).toEqual([]);
    expect(group.operations('void', ann)).toHaveLength(1);
  });

  it('an expiry counts the slots where the minimum is a number of slots (Q90)', () => {
    const given = { slots: [1n, 1n, 5_000n], captureMinimum: { unit: 'slots', count: 2 } } as const;
    const rich = new Scenario(given);
    rich.holds('ann', [3]);
    rich.passes(day).accepts({ type: 'expire' });
    expect(rich.group.state).toBe('expired');
    const many = new Scenario(given);
    many.holds('bob', [1, 2]);
    many.passes(day).accepts({ type: 'expire' });
    expect(many.group.state).toBe('capturing');
  });

  it('an expiry captures nothing of an account that was disconnected, and nothing at all when the rest is too little (Q90)', () => {
    const enough = new Scenario({
      slots: [1_000n, 1_000n, 1_000n],
      captureMinimum: { unit: 'slots', count: 1 },
    });
    const [ann, bob] = [enough.holds('ann', [1]), enough.holds('bob', [2])];
    enough.revoked.add('gateway_b/1');
    enough.passes(day).accepts({ type: 'expire' });
    expect(enough.group.state).toBe('expired');
    expect(enough.operations('void').map(({ intentId }) => intentId)).toEqual([ann, bob]);
    expect(enough.operations('capture')).toEqual([]);
  });

  it('an expiry does not count a hold that is about to end at the gateway, and releases it (Q90)', () => {
    const group = new Scenario({
      ...half,
      expiresInMs: 7 * day,
      captureMinimum: { unit: 'slots', count: 1 },
    });
    const early = group.holds('ann', [1]);
    group.passes(day);
    const late = group.holds('bob', [2]);
    group.nowMs = start + 7 * day;
    group.accepts({ type: 'expire' });
    expect(group.operations('void').map(({ intentId }) => intentId)).toEqual([early]);
    expect(group.operations('capture').map(({ intentId }) => intentId)).toEqual([late]);
    expect(group.slotStates).toEqual(['expired', 'preauthorised', 'expired']);
  });

  it('a hold that arrives after the captures of an expiry is voided (R3, Q90)', () => {
    const group = new Scenario({ ...half, captureMinimum: { unit: 'slots', count: 1 } });
    group.holds('ann', [1]);
    const late = group.reserves('bob', [2]);
    group.begins(late);
    group.passes(day).accepts({ type: 'expire' });
    group.authorises(late);
    expect(group.intent(late)).toMatchObject({ state: 'failed', failure: { code: 'group_expired' } });
    expect(group.operations('void', late)).toHaveLength(1);
    expect(group.operations('capture', late)).toEqual([]);
  });

  it('a group that is captured at its expiry takes no further payment, change or cancellation (Q90)', () => {
    const group = new Scenario({ ...half, captureMinimum: { unit: 'slots', count: 1 } });
    group.holds('ann', [1]);
    group.passes(day);
    expect(group.does(group.reservation('bob', [2]))).toMatchObject({ refusal: { code: 'group_expired' } });
    expect(group.group.state).toBe('capturing');
    expect(group.does({ type: 'cancel' })).toMatchObject({ kind: 'rejected', code: 'group_expired' });
    expect(group.does({ type: 'update', expiresAtMs: start + 2 * day, changesNames: false })).toMatchObject({
      kind: 'rejected',
    });
  });

  it('a group that is captured at its expiry fails when every capture fails, and is refunded like any other (Q90)', () => {
    const failing = new Scenario({ ...half, captureMinimum: { unit: 'slots', count: 1 } });
    const ann = failing.holds('ann', [1]);
    failing.passes(day).accepts({ type: 'expire' });
    failing.captureFails(ann);
    expect(failing.group.state).toBe('capture_failed');
    const refunded = new Scenario({ ...half, captureMinimum: { unit: 'slots', count: 1 } });
    const bob = refunded.holds('bob', [1]);
    refunded.passes(day).accepts({ type: 'expire' });
    refunded.captures(bob);
    refunded.opensRefund();
    refunded.refunds(bob);
    expect(refunded.group.state).toBe('refunded');
    expect(refunded.balance('merchant:captured')).toBe(0n);
  });

  it('a hold that was captured at the gateway before counts for the minimum (C8, Q90)', () => {
    const group = new Scenario(half);
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_000n });
    group.passes(day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('partially_paid');
    expect(group.operations('capture').map(({ intentId }) => intentId)).toEqual([bob]);
    group.captures(bob);
    expect(group.slotStates).toEqual(['captured', 'captured', 'expired']);
  });

  it('a released hold that the merchant captures all the same completes a group that was captured at its expiry (C8, Q90)', () => {
    const group = new Scenario({ captureMinimum: { unit: 'slots', count: 1 } });
    const ann = group.holds('ann', [1]);
    const late = group.reserves('bob', [2]);
    group.begins(late);
    const authorizationId = group.newestAuthorizationId(late);
    group.passes(day).accepts({ type: 'expire' });
    group.authorises(late);
    group.captures(ann);
    expect(group.group.state).toBe('partially_paid');
    group.accepts({ type: 'recordExternalCapture', intentId: late, authorizationId, amountMinor: 1_000n });
    expect(group.alerts).toContain('captured_after_release');
    expect(group.balance('merchant:captured')).toBe(2_000n);
    expect(group.balance('group:held')).toBe(0n);
    expect(group.group.state).toBe('paid');
  });

  it('the minimum counts what is left of a charge that the merchant made before and gave back in part (C8, Q90)', () => {
    const group = new Scenario(half);
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_000n });
    group.accepts({ type: 'recordExternalRefund', intentId: ann, amountMinor: 600n, refundId: 're_1' });
    group.passes(day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('expired');
    expect(group.operations('capture')).toEqual([]);
    expect(group.operations('void', bob)).toHaveLength(1);
  });

  it('the minimum counts the part of a hold that the merchant captured before (C8, Q90)', () => {
    const group = new Scenario(half);
    const ann = group.holds('ann', [1]);
    group.holds('bob', [2]);
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 499n });
    group.passes(day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('expired');
    expect(group.operations('capture')).toEqual([]);
  });

  it('a charge whose capture a refund of the whole group withdrew is that capture, and is given back (E6, Q90)', () => {
    const group = new Scenario({ ...half, captureMinimum: { unit: 'slots', count: 2 } });
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.passes(day).accepts({ type: 'expire' });
    group.captures(ann);
    group.captureIs({ status: 'retryable' }, bob);
    group.opensRefund();
    expect(group.intent(bob).state).toBe('void_pending');
    const authorizationId = group.newestAuthorizationId(bob);
    group.accepts({ type: 'recordExternalCapture', intentId: bob, authorizationId, amountMinor: 1_000n });
    expect(group.group.captures.map(({ intentId }) => intentId)).toEqual([ann, bob]);
    expect(group.operations('refund', bob)).toHaveLength(1);
    group.refunds(ann);
    group.refunds(bob);
    expect(group.group.state).toBe('refunded');
    expect(group.balance('merchant:captured')).toBe(0n);
  });

  it('a complete group that waits for a disconnected account captures the other holds at its expiry (Q90)', () => {
    const group = new Scenario({ captureMinimum: { unit: 'slots', count: 1 } });
    const ann = group.reserves('ann', [1], 'gateway_a');
    group.authorises(ann);
    group.revoked.add('gateway_a/1');
    const bob = group.holds('bob', [2]);
    expect(group.group.state).toBe('preauthorised');
    group.passes(day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('capturing');
    expect(group.operations('capture').map(({ intentId }) => intentId)).toEqual([bob]);
    expect(group.operations('void', ann)).toHaveLength(1);
    expect(group.slotStates).toEqual(['expired', 'preauthorised']);
  });

  it('one capture of an expiry may fail while another succeeds, and an operator tries it again or gives it up (D4, Q90)', () => {
    const fails = (): { group: Scenario; bob: string } => {
      const group = new Scenario({ ...half, captureMinimum: { unit: 'slots', count: 2 } });
      const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
      group.passes(day).accepts({ type: 'expire' });
      group.captures(ann);
      group.captureFails(bob);
      expect(group.group.state).toBe('partially_paid');
      expect(group.slotStates).toEqual(['captured', 'cancelled', 'expired']);
      return { group, bob };
    };
    const retried = fails();
    retried.group.accepts({ type: 'retryCapture' });
    retried.group.captures(retried.bob);
    expect(retried.group.slotStates).toEqual(['captured', 'captured', 'expired']);
    expect(retried.group.group.state).toBe('partially_paid');
    const givenUp = fails();
    givenUp.group.accepts({ type: 'giveUpCapture' });
    expect(givenUp.group.operations('void', givenUp.bob)).toHaveLength(1);
    expect(givenUp.group.group.state).toBe('partially_paid');
  });
});
