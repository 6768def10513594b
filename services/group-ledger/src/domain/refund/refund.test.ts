import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';
import { findFailure } from '../intent/intent.ts';

const { minute, day } = duration;

function parts(decision: ReturnType<Scenario['does']>) {
  const reply = decision.kind === 'accepted' ? decision.reply : undefined;
  if (reply?.kind !== 'refund') throw new Error(`no refund: ${JSON.stringify(decision)}`);
  return reply.parts;
}

describe('refunding', () => {
  it('a refund of everything stops captures that had no effect, and refunds those that succeed later (E1)', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    const [ann, bob, cem] = [group.holds('ann', [1]), group.holds('bob', [2]), group.holds('cem', [3])];
    group.captures(ann);
    group.captureIs({ status: 'retryable' }, bob);
    group.opensRefund();
    expect(group.intent(bob).state).toBe('void_pending');
    expect(group.slotStates).toEqual(['captured', 'cancelled', 'preauthorised']);
    group.refunds(ann);
    expect(group.group.state).toBe('refunding');
    group.captures(cem);
    expect(group.operations('refund', cem)).toHaveLength(1);
    group.refunds(cem);
    expect(group.group.state).toBe('refunded');
    group.voidIs({ status: 'voided' }, bob);
    expect(group.balance('merchant:captured')).toBe(0n);
    expect(group.balance('group:held')).toBe(0n);
  });

  it('a refund of everything only queries an unknown capture, and withdraws it when it had no effect (E1)', () => {
    const group = new Scenario();
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.captures(ann);
    group.captureIs({ status: 'unknown' }, bob);
    group.opensRefund();
    group.passes(minute).accepts({ type: 'captureRetryDue', intentId: bob });
    expect(group.lastOperation('capture', bob).notAfterMs).toBe(0);
    group.captureIs({ status: 'retryable' }, bob);
    expect(group.intent(bob).state).toBe('void_pending');
    group.refunds(ann);
    expect(group.group.state).toBe('refunded');
    expect(group.does({ type: 'retryCapture' })).toMatchObject({ code: 'group_not_payable' });
  });

  it.each(['a late answer', 'the release'])(
    'a refund of everything returns what a withdrawn capture took after all, as reported by %s (E1, R4)',
    (teller) => {
      const group = new Scenario();
      const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
      group.captures(ann);
      group.captureIs({ status: 'retryable' }, bob);
      group.opensRefund();
      group.refunds(ann);
      expect(group.group.state).toBe('refunded');
      if (teller === 'the release') group.voidIs({ status: 'captured' }, bob);
      else group.captures(bob);
      expect(group.intent(bob).state).toBe('refund_pending');
      expect(group.group.state).toBe('refunding');
      expect(group.timer(`void:${bob}`)).toBeUndefined();
      group.voidIs({ status: 'captured' }, bob);
      expect(group.operations('refund', bob)).toHaveLength(1);
      group.refunds(bob);
      expect(group.group.state).toBe('refunded');
      expect(group.slotStates).toEqual(['refunded', 'refunded']);
      expect(group.balance('merchant:captured')).toBe(0n);
      expect(group.balance('group:held')).toBe(0n);
    },
  );

  it('a refund of everything releases holds that failed captures kept (E1)', () => {
    const group = new Scenario();
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.captures(ann);
    group.captureFails(bob);
    group.opensRefund();
    expect(group.operations('void', bob)).toHaveLength(1);
  });

  it('a refund of a slot touches only the captured intent that covers it (E1)', () => {
    const group = new Scenario();
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.captures(ann);
    group.opensRefund([1]);
    group.refunds(ann);
    expect(group.group.captureStoppedAtMs).toBeNull();
    expect(group.group.state).toBe('refunded');
    group.captures(bob);
    expect(group.group.state).toBe('partially_refunded');
  });

  it('a refund of a slot is announced as refunded while other captures are pending, and as partially refunded after them (E12)', () => {
    const group = new Scenario();
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.captures(ann);
    group.opensRefund([1]);
    group.refunds(ann);
    expect(group.eventTypes.at(-1)).toBe('group_payment.refunded');
    group.captures(bob);
    expect(group.eventTypes.slice(-2)).toEqual([
      'payment_intent.captured',
      'group_payment.partially_refunded',
    ]);
    group.opensRefund();
    group.refunds(bob);
    expect(group.eventTypes.at(-1)).toBe('group_payment.refunded');
  });

  it('a refund is refused while nothing is captured (E1)', () => {
    const group = new Scenario();
    group.holds('ann');
    expect(group.opensRefund()).toEqual({
      kind: 'rejected',
      code: 'nothing_to_refund',
      hint: 'the state of the group payment is capturing: its payments are being captured; what is captured can be refunded',
    });
    expect(group.opensRefund([1])).toMatchObject({
      code: 'slots_not_captured',
      details: [{ slot_id: group.slotId(1) }],
    });
  });

  it('a refund leaves nothing for a second request at the same time (E2)', () => {
    const group = new Scenario();
    group.isPaid();
    group.opensRefund();
    const hint =
      'the state of the group payment is refunding: wait for the end of the refund that is running';
    expect(group.opensRefund()).toEqual({ kind: 'rejected', code: 'nothing_to_refund', hint });
    expect(group.opensRefund([1])).toEqual({ kind: 'rejected', code: 'nothing_to_refund', hint });
    expect(group.operations('refund')).toHaveLength(2);
  });

  it('a refund with mixed results gives partially_refunded, and may be requested again (E3)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.opensRefund();
    group.refunds(ann);
    group.refundFails(bob);
    expect(group.group.state).toBe('partially_refunded');
    expect(group.eventTypes.at(-1)).toBe('group_payment.partially_refunded');
    group.opensRefund();
    expect(group.lastOperation('refund', bob).seq).toBe(2);
    group.refunds(bob);
    expect(group.group.state).toBe('refunded');
  });

  it('a refund that returned no money gives refund_failed, and may be requested again (E3)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.opensRefund();
    group.refundFails(ann);
    group.refundFails(bob);
    expect(group.group.state).toBe('refund_failed');
    expect(group.eventTypes.filter((type) => type.endsWith('.refund_failed'))).toHaveLength(1);
    expect(group.slotStates).toEqual(['captured', 'captured']);
    group.opensRefund();
    expect(group.group.state).toBe('refunding');
  });

  it('a refund that fails leaves its reason in the log of transitions, and none in the payment (E3, Q32)', () => {
    const group = new Scenario();
    const [ann] = group.isPaid() as [string, string];
    group.opensRefund();
    group.refundFails(ann);
    const { failure } = group.group.refundLines.find(({ intentId }) => intentId === ann)!;
    expect(group.transitions.filter((log) => log.failure)).toEqual([
      expect.objectContaining({
        entity: 'intent',
        entityId: ann,
        from: 'refund_pending',
        to: 'captured',
        failure,
      }),
    ]);
    expect(findFailure(group.intent(ann))).toBeNull();
  });

  it('a refund of one slot refunds the whole intent and names all its slots (E4)', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    const ann = group.holds('ann', [1, 2]);
    const bob = group.holds('bob', [3]);
    group.captures(ann);
    group.captures(bob);
    expect(parts(group.opensRefund([2]))).toMatchObject([
      { intentId: ann, amountMinor: 2n, slotIds: [group.slotId(1), group.slotId(2)], refusal: null },
    ]);
    group.refunds(ann);
    expect(group.slotStates).toEqual(['refunded', 'refunded', 'captured']);
  });

  it('a refund stays refunding while an outcome is unknown, and is queried under the same number (E5)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.opensRefund();
    group.refunds(ann);
    group.refundIs({ status: 'unknown' }, bob);
    expect(group.group.state).toBe('refunding');
    expect(group.intent(bob).unknown).toBe(true);
    group.passes(5_000).accepts({ type: 'refundRetryDue', intentId: bob });
    const [first, again] = group.operations('refund', bob);
    expect(again).toEqual(first);
    group.refunds(bob);
    expect(group.group.state).toBe('refunded');
  });

  it('a refund is retried only after a try that had no effect, with pauses that grow with its age (E5)', () => {
    const group = new Scenario({ slots: [1n] });
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    const delays: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      group.refundIs({ status: 'retryable' }, ann);
      delays.push(((group.timer(`refund:${ann}`) ?? 0) - group.nowMs) / 1_000);
      group.nowMs += delays.at(-1)! * 1_000;
      group.accepts({ type: 'refundRetryDue', intentId: ann });
    }
    expect(delays).toEqual([5, 30, 120, 600]);
    expect(group.operations('refund', ann).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    group.passes(day);
    group.refundIs({ status: 'unknown' }, ann);
    group.accepts({ type: 'refundRetryDue', intentId: ann });
    expect(group.alerts).toContain('refund_unresolved');
  });

  it('a late answer to an earlier try of a refund that has ended since is ignored (F1, F9)', () => {
    const group = new Scenario({ slots: [1n] });
    const [ann = ''] = group.isPaid();
    group.opensRefund();
    const first = group.lastOperation('refund', ann);
    group.refundIs({ status: 'retryable' }, ann);
    group.passes(minute).accepts({ type: 'refundRetryDue', intentId: ann });
    group.refunds(ann);
    expect(group.refundIs({ status: 'unknown' }, ann, first)).toMatchObject({ kind: 'ignored' });
    expect(group.refundIs({ status: 'refunded', amountMinor: 1n }, ann, first)).toMatchObject({
      kind: 'ignored',
    });
    expect(group.group.state).toBe('refunded');
  });

  it('a refund never calls a gateway that cannot refund, and the answer says so (E7)', () => {
    const group = new Scenario();
    const ann = group.reserves('ann', [1], 'gateway_c');
    group.authorises(ann);
    const bob = group.holds('bob', [2]);
    group.captures(ann);
    group.captures(bob);
    const [first, second] = parts(group.opensRefund());
    expect(first?.refusal?.message).toBe(
      "refunds through the API are unavailable for gateway_c: refund it in the gateway's own dashboard",
    );
    expect(second?.refusal).toBeNull();
    expect(group.operations('refund', ann)).toEqual([]);
    group.refunds(bob);
    expect(group.group.state).toBe('partially_refunded');
  });

  it('a refund fails at once when no gateway can be called (E7)', () => {
    const group = new Scenario({ slots: [1n] });
    const ann = group.reserves('ann', [1], 'gateway_c');
    group.authorises(ann);
    group.captures(ann);
    group.opensRefund();
    expect(group.history.slice(-3)).toEqual(['paid', 'refunding', 'refund_failed']);
  });

  it('a disputed payment is not refunded until the dispute ended (E9)', () => {
    const group = new Scenario({ slots: [1n] });
    const [ann] = group.isPaid() as [string];
    group.accepts({ type: 'recordDispute', intentId: ann, disputed: true });
    expect(parts(group.opensRefund())[0]?.refusal?.message).toBe('payment is disputed');
    expect(group.intent(ann).state).toBe('captured');
    group.accepts({ type: 'recordDispute', intentId: ann, disputed: false });
    expect(parts(group.opensRefund())[0]?.refusal).toBeNull();
  });

  it('a refund with repeated slots refunds the rest, and nothing when all of them were refunded (E10)', () => {
    const group = new Scenario();
    const [ann, bob] = group.isPaid() as [string, string];
    group.opensRefund([1]);
    group.refunds(ann);
    expect(parts(group.opensRefund([1, 2])).map(({ intentId }) => intentId)).toEqual([bob]);
    group.refunds(bob);
    const code = 'nothing_to_refund';
    expect(group.opensRefund([1])).toEqual({
      ...{ kind: 'rejected', code, hint: `refunded already: payment ${ann}` },
    });
    expect(group.opensRefund()).toEqual({
      ...{ kind: 'rejected', code, hint: `refunded already: payments ${ann}, ${bob}` },
    });
  });

  it('a refund refuses slots that are unknown or named twice', () => {
    const group = new Scenario();
    group.isPaid();
    expect(group.opensRefund([1, 1])).toMatchObject({ code: 'invalid_slot_ids' });
    const foreign = { type: 'openRefund', refundId: 'r', source: 'api', slotIds: ['foreign'] } as const;
    expect(group.does(foreign)).toMatchObject({ code: 'invalid_slot_ids' });
  });

  it('a refund is announced per intent, and a repeated outcome is ignored', () => {
    const group = new Scenario({ slots: [1n] });
    const [ann] = group.isPaid() as [string];
    group.opensRefund(undefined, 'the-refund');
    group.refunds(ann);
    expect(group.events.at(-2)).toMatchObject({
      type: 'payment_intent.refunded',
      data: { refundId: 'the-refund' },
    });
    expect(group.refunds(ann).kind).toBe('ignored');
    expect(group.refundFails(ann).kind).toBe('ignored');
  });

  it('a refused refund that succeeded after all opens an operator task', () => {
    const group = new Scenario({ slots: [1n] });
    const [ann] = group.isPaid() as [string];
    group.opensRefund();
    group.refundFails(ann);
    group.refunds(ann);
    expect(group.alerts).toContain('refunded_outside');
    expect(group.intent(ann).state).toBe('captured');
  });
});
