import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';

/** A payer whose first try counted as absent, and whose second is held. */
function heldAtSecondTry() {
  const group = new Scenario({ slots: [1_000n] });
  const ann = group.reserves('ann');
  const first = group.begins(ann);
  group.authorisationIs('absent', ann);
  group.begins(ann);
  group.authorises(ann);
  return { group, ann, first };
}

describe("what happened in the gateway's own books", () => {
  it('a capture made outside is recorded without starting other captures or preventing expiry (C6)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_000n });
    expect(group.group.state).toBe('partially_preauthorised');
    expect(group.slotStates).toEqual(['captured', 'unassigned']);
    expect(group.alerts).toContain('captured_outside');
    expect(group.eventTypes.at(-1)).toBe('payment_intent.captured');
    group.passes(duration.day).accepts({ type: 'expire' });
    expect(group.slotStates).toEqual(['captured', 'expired']);
    expect(group.intent(ann).state).toBe('captured');
    expect(group.operations('refund')).toEqual([]);
  });

  it('a capture made outside counts when the group completes (C6)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_000n });
    const bob = group.holds('bob', [2]);
    expect(group.history).toEqual(['open', 'partially_preauthorised', 'preauthorised', 'partially_paid']);
    expect(group.operations('capture', ann)).toEqual([]);
    group.captures(bob);
    expect(group.group.state).toBe('paid');
  });

  it('a capture made outside while ours is in flight is the same capture (C6)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.holds('ann');
    const authorizationId = group.newestAuthorizationId(ann);
    group.captureIs({ status: 'unknown' }, ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_000n });
    expect(group.group.state).toBe('paid');
    expect(group.captures(ann).kind).toBe('ignored');
  });

  it.each(['expire', 'cancel'] as const)(
    'a capture of a hold that is being released is booked after %s, and so is its refund, on the ended group (C8)',
    (type) => {
      const group = new Scenario();
      const ann = group.holds('ann', [1]);
      const authorizationId = group.newestAuthorizationId(ann);
      group.passes(type === 'expire' ? duration.day : 0).accepts({ type });
      const state = group.group.state;
      const capture = { type: 'recordExternalCapture', intentId: ann, authorizationId } as const;
      group.accepts({ ...capture, amountMinor: 1_000n });
      expect(group.alerts).toEqual(['captured_after_release']);
      expect(group.intent(ann)).toMatchObject({ state: 'captured', amountCapturedMinor: 1_000n });
      expect(group.group.voids).toMatchObject([{ state: 'refused' }]);
      expect(group.timer(`void:${authorizationId}`)).toBeUndefined();
      expect(group.slotStates[0]).toBe('captured');
      expect(group.eventTypes.at(-1)).toBe('payment_intent.captured');
      expect([group.balance('group:held'), group.balance('merchant:captured')]).toEqual([0n, 1_000n]);
      expect(group.voidIs({ status: 'captured' }, ann).kind).toBe('ignored');
      expect(group.does({ ...capture, amountMinor: 1_000n }).kind).toBe('ignored');
      const refund = { type: 'recordExternalRefund', intentId: ann, amountMinor: 1_000n } as const;
      group.accepts({ ...refund, refundId: 're_1' });
      expect(group.intent(ann)).toMatchObject({ state: 'refunded', amountRefundedMinor: 1_000n });
      expect(group.eventTypes.at(-1)).toBe('payment_intent.refunded');
      expect(group.balance('merchant:captured')).toBe(0n);
      expect(group.group.state).toBe(state);
    },
  );

  it('a capture made outside is booked when the result of the void is the first to report it (C8)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    group.accepts({ type: 'cancel' });
    group.voidIs({ status: 'captured', amountMinor: 600n }, ann);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountCapturedMinor: 600n });
    expect(group.balance('group:held')).toBe(0n);
    expect(group.balance('merchant:captured')).toBe(600n);
    const capture = { authorizationId: group.newestAuthorizationId(ann), amountMinor: 600n };
    const told = group.does({ type: 'recordExternalCapture', intentId: ann, ...capture });
    expect(told).toEqual({ kind: 'ignored', reason: 'already_captured' });
  });

  it('a refund made outside is postponed until the capture that it gives back was reported (C8)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'cancel' });
    const on = { intentId: ann, authorizationId, amountMinor: 1_000n } as const;
    const refund = { type: 'recordExternalRefund', refundId: 're_1', ...on } as const;
    expect(group.does(refund)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.accepts({ type: 'recordExternalCapture', ...on });
    group.accepts(refund);
    expect(group.intent(ann).state).toBe('refunded');
  });

  it('a capture of an earlier hold of a payment after the end makes that hold the one that counts (C8)', () => {
    const group = new Scenario({ expiresInMs: 7 * duration.day });
    const ann = group.holds('ann', [1]);
    const on = { intentId: ann, authorizationId: group.newestAuthorizationId(ann) };
    group.passes(7 * duration.day - 2 * duration.hour).accepts({ type: 'holdExpiryDue', ...on });
    group.begins(ann);
    group.authorises(ann);
    group.accepts({ type: 'cancel' });
    group.voidIs({ status: 'voided' }, ann);
    group.accepts({ type: 'recordExternalCapture', ...on, amountMinor: 1_000n });
    expect(group.intent(ann)).toMatchObject({
      state: 'captured',
      hold: { authorizationId: on.authorizationId },
    });
    expect(group.balance('group:held')).toBe(0n);
    group.accepts({ type: 'recordExternalRefund', ...on, refundId: 're_1', amountMinor: 1_000n });
    expect(group.intent(ann).state).toBe('refunded');
  });

  it('a capture of a hold that arrived after the end is booked (C8)', () => {
    const group = new Scenario();
    const ann = group.reserves('ann', [1]);
    group.begins(ann);
    group.accepts({ type: 'cancel' });
    group.authorises(ann);
    expect(group.intent(ann).state).toBe('failed');
    group.voidIs({ status: 'captured' }, ann);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountCapturedMinor: 1_000n });
    expect(group.slotStates).toEqual(['captured', 'cancelled']);
  });

  it('a capture of a payment whose slots passed to another one is booked beside them, and opens an operator task (C8, Q82)', () => {
    const group = new Scenario({ slots: [1_000n, 1_000n, 1_000n] });
    const first = group.reserves('ann', [1]);
    group.begins(first);
    const second = group.reserves('ann', [1, 2]);
    group.authorises(first);
    group.begins(second);
    group.authorises(second);
    group.accepts({ type: 'cancel' });
    group.voidIs({ status: 'captured' }, first);
    expect(group.intent(first)).toMatchObject({ state: 'void_pending', amountCapturedMinor: 0n });
    expect(group.balance('merchant:captured')).toBe(1_000n);
    expect(group.alerts.at(-1)).toBe('captured_after_release');
  });

  it('a second authorization captured beside the one that counts opens an operator task (C6)', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    group.authorises(ann, first);
    expect(group.lastOperation('void', ann).authorizationId).toBe(first);
    group.accepts({
      type: 'recordExternalCapture',
      intentId: ann,
      authorizationId: first,
      amountMinor: 1_000n,
    });
    expect(group.alerts).toEqual(['captured_after_release']);
    expect(group.intent(ann).amountCapturedMinor).toBe(1_000n);
    expect(group.balance('merchant:captured')).toBe(2_000n);
  });

  it('a capture of another authorization is not that of the failed one (C6)', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.authorises(ann, first);
    group.captureFails(ann);
    group.voidIs({ status: 'captured' }, ann);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountCapturedMinor: 0n });
    expect(group.alerts).toEqual(['capture_failed', 'captured_after_release']);
  });

  it('a capture found after the void was given up opens an operator task (C6)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'cancel' });
    group.passes(8 * duration.day).accepts({ type: 'voidRetryDue', intentId: ann, authorizationId });
    expect(group.alerts).toEqual([]);
    group.voidIs({ status: 'captured' }, ann);
    expect(group.alerts).toEqual(['captured_after_release']);
  });

  it('a whole refund made outside is recorded as requested and announced, once (E8)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    const mirror = {
      type: 'recordExternalRefund',
      intentId: ann,
      refundId: 're_1',
      amountMinor: 1_000n,
    } as const;
    group.accepts(mirror);
    expect(group.history.slice(-3)).toEqual(['paid', 'refunding', 'partially_refunded']);
    expect(group.eventTypes.slice(-2)).toEqual([
      'payment_intent.refunded',
      'group_payment.partially_refunded',
    ]);
    expect(group.slotStates).toEqual(['refunded', 'captured']);
    expect(group.does(mirror)).toEqual({ kind: 'ignored', reason: 'already_reported' });
  });

  it('a partial refund made outside is recorded, keeps the slots captured and opens an operator task (E8)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'recordExternalRefund', intentId: ann, refundId: 're_1', amountMinor: 300n });
    expect(group.group.state).toBe('paid');
    expect(group.slotStates).toEqual(['captured']);
    expect(group.intent(ann).amountRefundedMinor).toBe(300n);
    expect(group.balance('payer:refunded')).toBe(300n);
    expect(group.alerts).toEqual(['refunded_outside']);
    group.opensRefund();
    expect(group.lastOperation('refund', ann).amountMinor).toBe(700n);
    group.refunds(ann);
    expect(group.intent(ann).amountRefundedMinor).toBe(1_000n);
    expect(group.group.state).toBe('refunded');
  });

  it('a refund of what was never captured is not booked: cancelling a hold looks like one (E8)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    const mirror = {
      type: 'recordExternalRefund',
      intentId: ann,
      refundId: 're_1',
      amountMinor: 1_000n,
    } as const;
    expect(group.does(mirror)).toEqual({ kind: 'ignored', reason: 'not_captured' });
  });

  it('a refund made outside waits until the capture it gives back was reported (E8)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    group.holds('bob', [2]);
    const mirror = {
      type: 'recordExternalRefund',
      intentId: ann,
      refundId: 're_1',
      amountMinor: 300n,
    } as const;
    expect(group.does(mirror)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.captures(ann);
    group.accepts(mirror);
    expect(group.intent(ann).amountRefundedMinor).toBe(300n);
  });

  it('a refund made outside waits for the outcome of our own refund, which decides what is left (E8)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    const mirror = {
      type: 'recordExternalRefund',
      intentId: ann,
      refundId: 're_1',
      amountMinor: 300n,
    } as const;
    expect(group.does(mirror)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.refundFails(ann);
    group.accepts(mirror);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 300n });
  });

  it('a refund of another authorization than the one that counts is booked beside it, and opens an operator task (E8, Q82)', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    group.authorises(ann, first);
    const mirror = {
      type: 'recordExternalRefund',
      intentId: ann,
      refundId: 're_1',
      amountMinor: 1_000n,
    } as const;
    const charge = { intentId: ann, authorizationId: first, amountMinor: 1_000n };
    group.accepts({ type: 'recordExternalCapture', ...charge });
    expect(group.accepts({ ...mirror, authorizationId: first })).toMatchObject({ events: [] });
    expect(group.alerts).toEqual(['captured_after_release', 'refunded_outside']);
    expect(group.balance('payer:refunded')).toBe(1_000n);
    expect(group.group.state).toBe('paid');
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 0n });
    group.accepts({ ...mirror, authorizationId: group.newestAuthorizationId(ann) });
    expect(group.group.state).toBe('refunded');
  });

  it('a dispute sets a flag and changes no state (E9)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'recordDispute', intentId: ann, disputed: true });
    expect(group.intent(ann).disputed).toBe(true);
    expect(group.group.state).toBe('paid');
    expect(group.alerts).toEqual(['disputed']);
  });

  it('a dispute is announced once each time it opens, and once each time it ends without a loss (F17)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    const before = group.events.length;
    for (const disputed of [true, true, false, false, true])
      group.does({ type: 'recordDispute', intentId: ann, disputed });
    const data = { paymentIntentId: ann, state: 'captured' };
    const opened = { type: 'payment_intent.disputed', data };
    const closed = { type: 'payment_intent.dispute_closed', data };
    expect(group.events.slice(before)).toMatchObject([opened, closed, opened]);
    expect(group.alerts).toEqual(['disputed', 'disputed']);
  });

  it('a dispute about another authorization opens an operator task, and the captured one can be refunded (E9)', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    group.authorises(ann, first);
    const dispute = { type: 'recordDispute', intentId: ann, authorizationId: first } as const;
    group.accepts({ ...dispute, disputed: true });
    expect(group.alerts).toEqual(['disputed']);
    expect(group.eventTypes).not.toContain('payment_intent.disputed');
    expect(group.intent(ann).disputed).toBe(false);
    group.accepts({ ...dispute, authorizationId: group.newestAuthorizationId(ann), disputed: true });
    expect(group.does({ ...dispute, disputed: false }).kind).toBe('ignored');
    expect(group.intent(ann).disputed).toBe(true);
  });
});

describe('repairs', () => {
  it('a reversed capture leads the group down and announces partially_paid again (D6)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'reverseCapture', intentId: ann });
    expect(group.group.state).toBe('partially_paid');
    expect(group.slotStates).toEqual(['cancelled', 'captured']);
    expect(group.eventTypes.slice(-2)).toEqual(['payment_intent.failed', 'group_payment.partially_paid']);
    const announcements = group.events.filter(({ type }) => type === 'group_payment.partially_paid');
    expect(new Set(announcements.map(({ id }) => id)).size).toBe(2);
    expect(group.balance('merchant:captured')).toBe(1_000n);
    expect(group.alerts).toEqual(['capture_reversed']);
  });

  it('a reversed capture ends the payment at a gateway where the payer could pay once more (D6)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann', [1], 'gateway_a');
    group.authorises(ann);
    group.captures(ann);
    group.accepts({ type: 'reverseCapture', intentId: ann });
    expect(group.lastOperation('void', ann)).toMatchObject({ unlessAuthorised: false });
    group.voidIs({ status: 'voided' }, ann);
    expect(group.timer(`void:${group.newestAuthorizationId(ann)}`)).toBeUndefined();
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountCapturedMinor: 0n });
    expect(group.balance('group:held')).toBe(0n);
  });

  it('the ending of a reversed payment is retried even after the time of its hold (D6)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann', [1], 'gateway_a');
    group.authorises(ann);
    group.captures(ann);
    group.passes(6 * duration.day + 23 * duration.hour).accepts({ type: 'reverseCapture', intentId: ann });
    const authorizationId = group.newestAuthorizationId(ann);
    const due = { type: 'voidRetryDue', intentId: ann, authorizationId } as const;
    group.passes(2 * duration.hour).accepts(due);
    expect(group.group.voids).toMatchObject([{ state: 'started' }]);
    group.passes(7 * duration.day).accepts(due);
    expect(group.group.voids).toMatchObject([{ state: 'lapsed' }]);
  });

  it('a reversed capture ends the payment at the gateway also when part of it had been refunded before (D6)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann', [1], 'gateway_a');
    group.authorises(ann);
    group.captures(ann);
    group.accepts({ type: 'recordExternalRefund', intentId: ann, refundId: 're_1', amountMinor: 300n });
    group.accepts({ type: 'reverseCapture', intentId: ann });
    group.voidIs({ status: 'voided' }, ann);
    expect(group.group.voids).toMatchObject([{ state: 'confirmed' }]);
    expect(group.timer(`void:${group.newestAuthorizationId(ann)}`)).toBeUndefined();
    expect(group.balance('group:held')).toBe(0n);
  });

  it('a reversed capture is not undone by a repeated old success (D6)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'reverseCapture', intentId: ann });
    group.captures(ann);
    expect(group.intent(ann).state).toBe('capture_failed');
    expect(group.group.state).toBe('partially_paid');
  });

  it('a reversal waits until the success it reverses was reported: messages may change places (D6)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    group.holds('bob', [2]);
    expect(group.group.state).toBe('capturing');
    const reversal = { type: 'reverseCapture', intentId: ann } as const;
    expect(group.does(reversal)).toEqual({ kind: 'rejected', code: 'conflict' });
    expect(group.alerts).toEqual([]);
    group.captures(ann);
    group.accepts(reversal);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountCapturedMinor: 0n });
  });

  it('a reversal waits where an earlier refusal is known and the success it reverses is not (D6)', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    group.holds('bob', [2]);
    group.captureFails(ann);
    const reversal = { type: 'reverseCapture', intentId: ann } as const;
    expect(group.does(reversal)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.captures(ann);
    group.accepts(reversal);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountCapturedMinor: 0n });
    expect(group.accepts(reversal).postings).toEqual([]);
  });

  it('a reversal during a refund is kept: nothing is left to refund (D6)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.opensRefund();
    group.accepts({ type: 'reverseCapture', intentId: ann });
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountCapturedMinor: 0n });
    expect(group.group.refundLines[0]).toMatchObject({
      state: 'failed',
      failure: { code: 'capture_reversed' },
    });
    expect(group.timer(`refund:${ann}`)).toBeUndefined();
    expect(group.slotStates).toEqual(['cancelled', 'captured']);
    expect(group.balance('merchant:captured')).toBe(1_000n);
    expect(group.refundFails(ann)).toEqual({ kind: 'ignored', reason: 'stale_answer' });
    group.refunds(bob);
    expect(group.group.state).toBe('refunded');
    expect(group.balance('merchant:captured')).toBe(0n);
  });

  it('a refund that took effect in spite of a reversal opens an operator task (D6)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    group.accepts({ type: 'reverseCapture', intentId: ann });
    group.refunds(ann);
    expect(group.alerts).toEqual(['capture_reversed', 'refunded_outside']);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountRefundedMinor: 0n });
  });

  it('the reversal of a refund waits until the refund was reported (E6)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    const reversal = { type: 'reverseRefund', intentId: ann } as const;
    expect(group.does(reversal)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.refunds(ann);
    group.accepts(reversal);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 0n });
  });

  it('the reversal of a refund takes the refund back and derives the group again (E6)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.opensRefund();
    group.refunds(ann);
    group.refunds(bob);
    group.accepts({ type: 'reverseRefund', intentId: ann });
    expect(group.group.state).toBe('partially_refunded');
    expect(group.slotStates).toEqual(['captured', 'refunded']);
    expect(group.balance('merchant:captured')).toBe(1_000n);
    expect(group.alerts).toEqual(['refund_reversed']);
    expect(group.does({ type: 'reverseRefund', intentId: ann }).kind).toBe('ignored');
  });

  it('a bounce of a refund made outside takes it back, whole or in part (E8)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.accepts({ type: 'recordExternalRefund', intentId: ann, refundId: 're_1', amountMinor: 1_000n });
    group.accepts({ type: 'recordExternalRefund', intentId: bob, refundId: 're_2', amountMinor: 500n });
    group.accepts({ type: 'reverseExternalRefund', intentId: bob, amountMinor: 300n });
    expect(group.intent(bob)).toMatchObject({ state: 'captured', amountRefundedMinor: 200n });
    group.accepts({ type: 'reverseExternalRefund', intentId: ann, amountMinor: 1_000n });
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 0n });
    expect(group.slotStates).toEqual(['captured', 'captured']);
    expect(group.group.refundLines).toMatchObject([{ state: 'reversed', amountMinor: 1_000n }]);
    expect(group.group.state).toBe('refund_failed');
    expect(group.balance('merchant:captured')).toBe(1_800n);
    expect(group.alerts).toContain('refund_reversed');
    group.opensRefund();
    expect(group.lastOperation('refund', ann).amountMinor).toBe(1_000n);
    expect(group.lastOperation('refund', bob).amountMinor).toBe(800n);
  });

  it('a bounce of a refund made outside changes no refund of ours (E8)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'recordExternalRefund', intentId: ann, refundId: 're_1', amountMinor: 300n });
    group.opensRefund();
    const bounce = { type: 'reverseExternalRefund', intentId: ann, amountMinor: 1_000n } as const;
    expect(group.does(bounce)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.refunds(ann);
    group.accepts(bounce);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 700n });
    expect(group.group.refundLines).toMatchObject([{ state: 'refunded', amountMinor: 700n }]);
    expect(group.group.state).toBe('partially_refunded');
    expect(group.does(bounce)).toEqual({ kind: 'rejected', code: 'conflict' });
  });

  it('a bounce of another authorization changes nothing of the one that counts, nor one whose refund was not reported yet (E8)', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    const bounce = { type: 'reverseExternalRefund', intentId: ann, amountMinor: 1_000n } as const;
    expect(group.does(bounce)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.accepts({ type: 'recordExternalRefund', intentId: ann, refundId: 're_1', amountMinor: 1_000n });
    expect(group.does({ ...bounce, authorizationId: first }).kind).toBe('rejected');
    expect(group.intent(ann).state).toBe('refunded');
    group.accepts(bounce);
    expect(group.intent(ann).state).toBe('captured');
  });
});
