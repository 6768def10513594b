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
  it('C6 mirrors a capture of a hold without starting to capture or closing the door to expiry', () => {
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

  it('C6 counts it when the group completes', () => {
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

  it('C6 takes a capture made outside while ours is on its way as the same capture', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.holds('ann');
    const authorizationId = group.newestAuthorizationId(ann);
    group.captureIs({ status: 'unknown' }, ann);
    group.accepts({ type: 'recordExternalCapture', intentId: ann, authorizationId, amountMinor: 1_000n });
    expect(group.group.state).toBe('paid');
    expect(group.captures(ann).kind).toBe('ignored');
  });

  it.each(['expire', 'cancel'] as const)(
    'C8 books a capture of what is being released after %s, and the refund of it, on the ended group',
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

  it('C8 books it as well when the answer to the release is the first to report it', () => {
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

  it('C8 puts the refund off until the capture that it gives back was told', () => {
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

  it('C8 books the capture of a hold that arrived after the end', () => {
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

  it('C8 books no capture of a payment whose slots passed to another one, and tells a person', () => {
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
    expect(group.alerts.at(-1)).toBe('captured_after_release');
  });

  it('C6 tells a person when a second try of a payment was captured beside the one that counts', () => {
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
  });

  it('C6 takes no capture of another try for the one that failed', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.authorises(ann, first);
    group.captureFails(ann);
    group.voidIs({ status: 'captured' }, ann);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountCapturedMinor: 0n });
    expect(group.alerts).toEqual(['capture_failed', 'captured_after_release']);
  });

  it('C6 tells a person of a capture that is found when the release was given up long ago', () => {
    const group = new Scenario();
    const ann = group.holds('ann', [1]);
    const authorizationId = group.newestAuthorizationId(ann);
    group.accepts({ type: 'cancel' });
    group.passes(8 * duration.day).accepts({ type: 'voidRetryDue', intentId: ann, authorizationId });
    expect(group.alerts).toEqual([]);
    group.voidIs({ status: 'captured' }, ann);
    expect(group.alerts).toEqual(['captured_after_release']);
  });

  it('E8 mirrors a whole refund as requested and announces it, once', () => {
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

  it('E8 records a partial refund, keeps the slots captured and tells a person', () => {
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

  it('E8 takes no refund of what was never captured: cancelling a hold looks like one', () => {
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

  it('E8 is put off until the capture it gives back was told', () => {
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

  it('E8 is put off until a refund of ours was answered: only then it is known what is left', () => {
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

  it('E8 books no refund of another try than the one that was captured, and tells a person', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    group.authorises(ann, first);
    const mirror = {
      type: 'recordExternalRefund',
      intentId: ann,
      refundId: 're_1',
      amountMinor: 1_000n,
    } as const;
    expect(group.accepts({ ...mirror, authorizationId: first })).toMatchObject({ postings: [], events: [] });
    expect(group.alerts).toEqual(['refunded_outside']);
    expect(group.group.state).toBe('paid');
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 0n });
    group.accepts({ ...mirror, authorizationId: group.newestAuthorizationId(ann) });
    expect(group.group.state).toBe('refunded');
  });

  it('E9 flags a dispute and changes no state', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'recordDispute', intentId: ann, disputed: true });
    expect(group.intent(ann).disputed).toBe(true);
    expect(group.group.state).toBe('paid');
    expect(group.alerts).toEqual(['disputed']);
  });

  it('E9 tells a person of a dispute about another try, and goes on refunding the one that was captured', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    group.authorises(ann, first);
    const dispute = { type: 'recordDispute', intentId: ann, authorizationId: first } as const;
    group.accepts({ ...dispute, disputed: true });
    expect(group.alerts).toEqual(['disputed']);
    expect(group.intent(ann).disputed).toBe(false);
    group.accepts({ ...dispute, authorizationId: group.newestAuthorizationId(ann), disputed: true });
    expect(group.does({ ...dispute, disputed: false }).kind).toBe('ignored');
    expect(group.intent(ann).disputed).toBe(true);
  });
});

describe('repairs', () => {
  it('D6 takes a capture back, derives downwards and announces partially_paid anew', () => {
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

  it('D6 ends the payment at a gateway where the payer could now pay once more', () => {
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

  it('D6 goes on ending it although the hold would be over', () => {
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

  it('D6 ends the payment there as well when part of it had gone back before', () => {
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

  it('D6 is not undone by an old success that is told again', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'reverseCapture', intentId: ann });
    group.captures(ann);
    expect(group.intent(ann).state).toBe('capture_failed');
    expect(group.group.state).toBe('partially_paid');
  });

  it('D6 is put off until the success it takes back was told: messages may change places', () => {
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

  it('D6 is put off where an earlier refusal is known and the success it takes back is not', () => {
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

  it('D6 is not lost while a refund is on its way: nothing is left to give back', () => {
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

  it('D6 tells a person when the refund that was on its way took effect all the same', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    group.accepts({ type: 'reverseCapture', intentId: ann });
    group.refunds(ann);
    expect(group.alerts).toEqual(['capture_reversed', 'refunded_outside']);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_failed', amountRefundedMinor: 0n });
  });

  it('E6 is put off until the refund it takes back was told', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    const reversal = { type: 'reverseRefund', intentId: ann } as const;
    expect(group.does(reversal)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.refunds(ann);
    group.accepts(reversal);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountRefundedMinor: 0n });
  });

  it('E6 takes a refund back and derives anew', () => {
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

  it('E8 takes back what bounced of a refund in the dashboard, whole or in part', () => {
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

  it('E8 leaves a refund of ours as it is when one of the dashboard bounces beside it', () => {
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

  it('E8 books no bounce of another try, nor before the refund it takes back was told', () => {
    const { group, ann, first } = heldAtSecondTry();
    group.captures(ann);
    const bounce = { type: 'reverseExternalRefund', intentId: ann, amountMinor: 1_000n } as const;
    expect(group.does(bounce)).toEqual({ kind: 'rejected', code: 'conflict' });
    group.accepts({ type: 'recordExternalRefund', intentId: ann, refundId: 're_1', amountMinor: 1_000n });
    expect(group.accepts({ ...bounce, authorizationId: first }).postings).toEqual([]);
    expect(group.intent(ann).state).toBe('refunded');
    group.accepts(bounce);
    expect(group.intent(ann).state).toBe('captured');
  });
});
