import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../../test/scenario.ts';

const { minute, hour, day } = duration;

describe('expiry', () => {
  it('an expiry timer changes nothing once the last hold came first, however late it fires (C1)', () => {
    const group = new Scenario();
    group.holds('ann');
    group.passes(day);
    expect(group.does({ type: 'expire' })).toEqual({ kind: 'ignored', reason: 'group_not_collecting' });
    expect(group.group.state).toBe('capturing');
  });

  it('an expiry that comes first voids the last hold, to the millisecond (C1)', () => {
    const before = new Scenario();
    const inTime = before.reserves('ann');
    before.begins(inTime);
    before.nowMs = start + day - 1;
    before.authorises(inTime);
    expect(before.group.state).toBe('capturing');

    const after = new Scenario();
    const late = after.reserves('ann');
    after.begins(late);
    after.nowMs = start + day;
    after.authorises(late);
    expect(after.group.state).toBe('expired');
    expect(after.operations('void', late)).toHaveLength(1);
    expect(after.operations('capture')).toEqual([]);
  });

  it('an expiry timer that fires early is set again (C2)', () => {
    const group = new Scenario();
    group.passes(hour).accepts({ type: 'expire' });
    expect(group.group.state).toBe('open');
    expect(group.timer('expiry:group')).toBe(start + day);
  });

  it('an expiry is visible at once while every void is retried until it is confirmed (C3)', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(held);
    group.passes(day).accepts({ type: 'expire' });
    const delays: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      group.voidIs({ status: count % 2 ? 'unknown' : 'retryable' }, held);
      delays.push((group.timer(`void:${authorizationId}`) ?? 0) - group.nowMs);
      group.nowMs += delays.at(-1) ?? 0;
      group.accepts({ type: 'voidRetryDue', intentId: held, authorizationId });
    }
    expect(delays.map((ms) => ms / 1_000)).toEqual([
      // The query after half an hour is moved to the hour at which an operator task opens.
      5, 30, 120, 600, 1_800, 1_045, 7_200, 14_400, 21_600, 21_600,
    ]);
    expect(group.operations('void', held).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(group.alerts).toContain('void_unconfirmed');
    expect(group.group.state).toBe('expired');
    group.voidIs({ status: 'voided' }, held);
    expect(group.intent(held).state).toBe('voided');
    expect(group.does({ type: 'voidRetryDue', intentId: held, authorizationId }).kind).toBe('ignored');
  });

  it('the voids of an expiry end when the hold itself has ended (C3)', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(held);
    group.passes(day).accepts({ type: 'expire' });
    group.passes(7 * day).accepts({ type: 'voidRetryDue', intentId: held, authorizationId });
    expect(group.intent(held).state).toBe('voided');
    expect(group.balance('group:held')).toBe(0n);
  });

  it('a void order without an outcome is repeated as the very same try (C3)', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(held);
    group.passes(day).accepts({ type: 'expire' });
    group.passes(10 * minute).accepts({ type: 'voidRetryDue', intentId: held, authorizationId });
    const [first, second] = group.operations('void', held);
    expect(second).toEqual(first);
  });

  it('a hold to be voided that was captured outside opens an operator task', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    group.passes(day).accepts({ type: 'expire' });
    group.voidIs({ status: 'captured' }, held);
    expect(group.alerts).toContain('captured_after_release');
    expect(group.group.state).toBe('expired');
  });

  it('an expiry ends prepared payments at gateway_a, and lets authorizations in flight on gateway_b finish', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    const prepared = group.reserves('ann', [1], 'gateway_a');
    const running = group.reserves('bob', [2]);
    group.begins(running);
    const idle = group.reserves('cem', [3]);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.intent(prepared).state).toBe('void_pending');
    expect(group.lastOperation('void', prepared).unlessAuthorised).toBe(false);
    expect(group.intent(running).state).toBe('processing');
    expect(group.intent(idle).state).toBe('voided');
    group.declines(running);
    expect(group.intent(running).state).toBe('failed');
  });

  it('an expiry also ends a declined payment that could still be paid with another card', () => {
    const group = new Scenario();
    const declined = group.reserves('ann', [1], 'gateway_a');
    group.declines(declined);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.operations('void', declined)).toHaveLength(1);
  });
});

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

  it('of a charge that the merchant made before and gave back in part, what is left counts for the minimum (C8, Q90)', () => {
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

  it('of a hold that the merchant captured in part before, that part counts for the minimum (C8, Q90)', () => {
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

describe('events of the end', () => {
  const listEnds = (group: Scenario) =>
    group.events
      .filter(({ type }) => !type.endsWith('.preauthorised'))
      .map(({ type, data }) => [type, data.state]);

  it('a group that expires is announced once, by whichever command finds it expired (F15)', () => {
    const group = new Scenario();
    group.passes(day).does(group.reservation('late'));
    group.does({ type: 'expire' });
    group.does({ type: 'cancel' });
    expect(listEnds(group)).toEqual([['group_payment.expired', 'expired']]);
  });

  it('a group that is cancelled is announced once (F15)', () => {
    const group = new Scenario();
    group.accepts({ type: 'cancel' });
    group.does({ type: 'cancel' });
    group.passes(day).does({ type: 'expire' });
    expect(listEnds(group)).toEqual([['group_payment.cancelled', 'cancelled']]);
  });

  it('a hold is announced as released when the gateway confirmed it, once, and no payment without a hold is (F16)', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    const held = group.holds('ann', [1]);
    group.reserves('bob', [2], 'gateway_a');
    const withdrawn = group.reserves('cem', [3]);
    group.passes(day).accepts({ type: 'expire' });
    expect(group.intent(withdrawn).state).toBe('voided');
    for (const status of ['unknown', 'retryable'] as const) group.voidIs({ status }, held);
    expect(group.eventTypes).not.toContain('payment_intent.released');
    group.voidIs({ status: 'voided' }, held);
    group.voidIs({ status: 'voided' }, held);
    expect(listEnds(group)).toEqual([
      ['group_payment.expired', 'expired'],
      ['payment_intent.released', 'voided'],
    ]);
    expect(group.events.at(-1)?.data).toMatchObject({ paymentIntentId: held, amountMinor: 1n });
  });

  it('a hold that the gateway captured instead of releasing it is announced as captured only (F16)', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    group.passes(day).accepts({ type: 'expire' });
    group.voidIs({ status: 'captured' }, held);
    expect(listEnds(group)).toEqual([
      ['group_payment.expired', 'expired'],
      ['payment_intent.captured', 'captured'],
    ]);
  });

  it('a hold that arrives late is announced as released when it was given back (F16, B7)', () => {
    const group = new Scenario();
    const late = group.reserves('ann', [1]);
    group.begins(late);
    group.passes(day).accepts({ type: 'expire' });
    group.authorises(late);
    group.voidIs({ status: 'voided' }, late);
    expect(listEnds(group)).toEqual([
      ['group_payment.expired', 'expired'],
      ['payment_intent.failed', 'failed'],
      ['payment_intent.released', 'failed'],
    ]);
  });

  it('a payment is not announced as released while another hold of it stands (F16)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const first = group.begins(intent);
    group.declines(intent);
    const second = group.begins(intent);
    group.authorises(intent, second);
    group.authorises(intent, first);
    group.voidIs({ status: 'voided' }, intent);
    expect(group.intent(intent).state).toBe('preauthorised');
    expect(group.eventTypes).not.toContain('payment_intent.released');
    group.accepts({ type: 'cancel' });
    group.voidIs({ status: 'voided' }, intent);
    expect(listEnds(group).slice(-2)).toEqual([
      ['group_payment.cancelled', 'cancelled'],
      ['payment_intent.released', 'voided'],
    ]);
  });
});

describe('holds that end while the group is collecting', () => {
  it('holds are released two hours before they end, and their slots can be paid again (C4)', () => {
    const group = new Scenario({ expiresInMs: 7 * day });
    const intent = group.holds('ann', [1]);
    expect(group.timer(`hold:${intent}`)).toBe(start + 7 * day - 2 * hour);
    group.passes(7 * day - 2 * hour).accepts({ type: 'holdExpiryDue', intentId: intent });
    expect(group.group.state).toBe('open');
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    expect(group.operations('void', intent)).toHaveLength(1);
    expect(group.events.at(-1)).toMatchObject({
      type: 'payment_intent.failed',
      data: { failure: { stage: 'hold', code: 'authorization_expiring' } },
    });
    expect(group.history).toEqual(['open', 'partially_preauthorised', 'open']);
  });

  it('holds are kept when the timer fires early (C4)', () => {
    const group = new Scenario({ expiresInMs: 7 * day });
    const intent = group.holds('ann', [1]);
    group.passes(day).accepts({ type: 'holdExpiryDue', intentId: intent });
    expect(group.intent(intent).state).toBe('preauthorised');
    expect(group.timer(`hold:${intent}`)).toBe(start + 7 * day - 2 * hour);
  });

  it('holds are not touched once capturing began (C4)', () => {
    const group = new Scenario({ expiresInMs: 7 * day });
    const intent = group.holds('ann');
    group.passes(7 * day - hour);
    expect(group.does({ type: 'holdExpiryDue', intentId: intent }).kind).toBe('ignored');
  });

  it('holds that were not released in time do not complete a group: no other payer is charged (C4)', () => {
    const group = new Scenario({ expiresInMs: 7 * day });
    const early = group.holds('ann', [1]);
    group.passes(7 * day - 10 * minute);
    const late = group.holds('bob', [2]);
    expect(group.group.state).toBe('partially_preauthorised');
    expect(group.operations('capture')).toEqual([]);
    expect(group.operations('void', early)).toHaveLength(1);
    expect(group.intent(late).state).toBe('preauthorised');
    expect(group.history.slice(-2)).toEqual(['preauthorised', 'partially_preauthorised']);
  });

  it('holds that the gateway ends by itself lead the group down (C4)', () => {
    const group = new Scenario();
    const intent = group.holds('ann', [1]);
    group.authorisationIs('lapsed', intent);
    expect(group.group.state).toBe('open');
    expect(group.intent(intent)).toMatchObject({
      state: 'failed',
      failure: { code: 'authorization_expired' },
    });
    expect(group.operations('void', intent)).toEqual([]);
    expect(group.balance('group:held')).toBe(0n);
    expect(group.authorisationIs('lapsed', intent).kind).toBe('ignored');
  });
});

describe('cancellation', () => {
  it('a cancellation releases holds and closes slots, as long as no capture was tried (Q2)', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    group.accepts({ type: 'cancel' });
    expect(group.group.state).toBe('cancelled');
    expect(group.slotStates).toEqual(['cancelled', 'cancelled']);
    expect(group.operations('void', held)).toHaveLength(1);
    expect(group.does({ type: 'cancel' }).kind).toBe('ignored');
    expect(group.timer('expiry:group')).toBeUndefined();
  });

  it('a cancellation is refused once capturing began, and after the expiry (C7)', () => {
    const capturing = new Scenario();
    capturing.holds('ann');
    expect(capturing.does({ type: 'cancel' })).toMatchObject({
      code: 'group_not_payable',
      message: 'the group payment cannot be cancelled in its current state',
      hint: expect.stringContaining(
        'is capturing: its payments are being captured; what is captured can be refunded',
      ),
    });
    const late = new Scenario();
    late.passes(day);
    expect(late.does({ type: 'cancel' })).toMatchObject({
      kind: 'accepted',
      refusal: { code: 'group_expired', hint: expect.stringContaining('is expired: its holds are released') },
    });
  });
});
