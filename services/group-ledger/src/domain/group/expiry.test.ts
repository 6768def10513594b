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
