import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../../test/scenario.ts';

const { minute, hour, day } = duration;

/** Two payers hold everything; capturing has begun. */
function capturing(): { group: Scenario; ann: string; bob: string } {
  const group = new Scenario();
  const ann = group.holds('ann', [1]);
  const bob = group.holds('bob', [2]);
  return { group, ann, bob };
}

describe('capturing', () => {
  it('capturing begins once, with one order per intent, in the decision of the last hold (D1)', () => {
    const { group, bob } = capturing();
    expect(group.group.state).toBe('capturing');
    expect(group.operations('capture')).toHaveLength(2);
    group.authorises(bob);
    expect(group.operations('capture')).toHaveLength(2);
    expect(group.timer('expiry:group')).toBeUndefined();
  });

  it('capturing begins with the hold that ends first (D2)', () => {
    const group = new Scenario();
    const first = group.reserves('ann', [1]);
    const second = group.reserves('bob', [2]);
    group.begins(first);
    group.begins(second);
    group.authorises(second);
    group.passes(hour);
    group.authorises(first);
    expect(group.operations('capture').map(({ intentId }) => intentId)).toEqual([second, first]);
    expect(group.operations('capture')[0]?.notAfterMs).toBe(start + 7 * day - 15 * minute);
  });

  it('capturing announces partially_paid with the first capture and paid with the last, once each (D2)', () => {
    const { group, ann, bob } = capturing();
    group.captureIs({ status: 'retryable' }, bob);
    group.captures(ann);
    group.captures(ann);
    group.accepts({ type: 'captureRetryDue', intentId: bob });
    group.captures(bob);
    expect(group.eventTypes.filter((type) => type.startsWith('group_payment'))).toEqual([
      'group_payment.partially_paid',
      'group_payment.paid',
    ]);
  });

  it('a capture is retried after 5 and 30 seconds, 2, 10 and 30 minutes, 1, 2 and 4 hours, then every 6 hours (D2)', () => {
    const { group, ann } = capturing();
    const delays: number[] = [];
    while (group.group.captures[0]?.state !== 'failed') {
      group.captureIs({ status: 'retryable' }, ann);
      const dueAtMs = group.timer(`capture:${ann}`);
      if (dueAtMs === undefined) break;
      delays.push((dueAtMs - group.nowMs) / 1_000);
      group.nowMs = dueAtMs;
      group.accepts({ type: 'captureRetryDue', intentId: ann });
    }
    expect(delays.slice(0, 10)).toEqual([5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 21_600, 21_600]);
    // Nothing is sent in the last quarter of an hour of the hold.
    const last = group.operations('capture', ann).at(-1);
    expect(last?.notAfterMs).toBe(start + 7 * day - 15 * minute);
    expect(group.nowMs).toBeGreaterThanOrEqual(start + 7 * day - 15 * minute);
    expect(group.intent(ann)).toMatchObject({
      state: 'capture_failed',
      failure: { code: 'capture_deadline_passed' },
    });
    expect(group.operations('void', ann)).toHaveLength(1);
  });

  it('each retry of a capture has its own id and number, and an order without an outcome is repeated unchanged (D2)', () => {
    const { group, ann } = capturing();
    group.passes(10 * minute).accepts({ type: 'captureRetryDue', intentId: ann });
    group.captureIs({ status: 'retryable' }, ann);
    group.accepts({ type: 'captureRetryDue', intentId: ann });
    const [first, again, next] = group.operations('capture', ann);
    expect(again).toEqual(first);
    expect(next).toMatchObject({ seq: 2 });
    expect(next?.operationId).not.toBe(first?.operationId);
  });

  it('a capture order without an outcome is repeated after ten minutes, and then after growing pauses up to six hours (F9)', () => {
    const { group, ann } = capturing();
    const pauses: number[] = [];
    for (let repeats = 0; repeats < 7; repeats += 1) {
      const pauseMs = (group.timer(`capture:${ann}`) ?? 0) - group.nowMs;
      pauses.push(pauseMs / minute);
      group.passes(pauseMs).accepts({ type: 'captureRetryDue', intentId: ann });
    }
    expect(pauses).toEqual([10, 20, 40, 80, 360, 360, 360]);
    expect(new Set(group.operations('capture', ann).map(({ operationId }) => operationId)).size).toBe(1);
  });

  it('an unknown capture is queried until its outcome is known, and is never a failure (D3)', () => {
    const { group, ann } = capturing();
    group.captureIs({ status: 'unknown' }, ann);
    expect(group.intent(ann)).toMatchObject({ state: 'capture_pending', unknown: true });
    group.passes(8 * day).accepts({ type: 'captureRetryDue', intentId: ann });
    expect(group.intent(ann).state).toBe('capture_pending');
    expect(group.alerts).toContain('capture_unresolved');
    expect(group.lastOperation('capture', ann).seq).toBe(2);
    group.captures(ann);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', unknown: false });
  });

  it('a capture succeeds with a success of any try, and fails only with a failure of the newest (D3)', () => {
    const { group, ann } = capturing();
    const [first] = group.operations('capture', ann);
    group.captureIs({ status: 'unknown' }, ann);
    group.accepts({ type: 'captureRetryDue', intentId: ann });
    const failure = { code: 'card_error', message: 'no', retryable: false };
    expect(group.captureIs({ status: 'failed', failure }, ann, first?.operationId).kind).toBe('ignored');
    group.captureIs({ status: 'captured', amountMinor: 1_000n }, ann, first?.operationId);
    expect(group.intent(ann).state).toBe('captured');
  });

  it('a late failure, retry or timeout cannot undo a capture', () => {
    const { group, ann } = capturing();
    group.captures(ann);
    expect(group.captureFails(ann).kind).toBe('ignored');
    expect(group.captureIs({ status: 'unknown' }, ann).kind).toBe('ignored');
    expect(group.captureIs({ status: 'retryable' }, ann).kind).toBe('ignored');
    expect(group.authorisationIs('lapsed', ann)).toEqual({ kind: 'ignored', reason: 'already_captured' });
    expect(group.does({ type: 'captureRetryDue', intentId: ann }).kind).toBe('ignored');
  });

  it('a group stays partially_paid when one capture fails for good, and cancels its slots (D4)', () => {
    const { group, ann, bob } = capturing();
    group.captures(ann);
    group.captureFails(bob);
    expect(group.group.state).toBe('partially_paid');
    expect(group.slotStates).toEqual(['captured', 'cancelled']);
    expect(group.events.at(-1)).toMatchObject({
      type: 'payment_intent.failed',
      data: { state: 'capture_failed', failure: { stage: 'capture' } },
    });
    expect(group.alerts).toContain('capture_failed');
  });

  it('a group is capture_failed when nothing was captured; the holds are kept until shortly before they end (D5)', () => {
    const { group, ann, bob } = capturing();
    group.captureFails(ann);
    group.captureFails(bob);
    expect(group.group.state).toBe('capture_failed');
    expect(group.operations('void')).toEqual([]);
    const dueAtMs = start + 7 * day - 15 * minute;
    expect(group.timer(`hold:${ann}`)).toBe(dueAtMs);
    group.passes(hour).accepts({ type: 'holdExpiryDue', intentId: ann });
    expect(group.operations('void')).toEqual([]);
    group.nowMs = dueAtMs;
    group.accepts({ type: 'holdExpiryDue', intentId: ann });
    expect(group.operations('void', ann)).toHaveLength(1);
    group.voidIs({ status: 'voided' }, ann);
    expect(group.intent(ann).state).toBe('capture_failed');
  });

  it('a group is announced as capture_failed each time its last capture fails, and each hold as released when it is given back (F15, F16)', () => {
    const { group, ann, bob } = capturing();
    const fail = () => [ann, bob].forEach((intent) => group.captureFails(intent));
    fail();
    group.accepts({ type: 'retryCapture' });
    fail();
    group.accepts({ type: 'giveUpCapture' });
    for (const intent of [ann, bob]) group.voidIs({ status: 'voided' }, intent);
    group.voidIs({ status: 'voided' }, ann);
    const told = group.events.slice(2).map(({ type, data }) => [type, data.state]);
    const [failed, groupFailed, released] = [
      ['payment_intent.failed', 'capture_failed'],
      ['group_payment.capture_failed', 'capture_failed'],
      ['payment_intent.released', 'capture_failed'],
    ];
    expect(told).toEqual([failed, failed, groupFailed, failed, failed, groupFailed, released, released]);
  });

  it('a charge that the scheme took back is not announced as released (F16, D6)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann', [1], 'gateway_a');
    group.authorises(ann);
    group.captures(ann);
    group.accepts({ type: 'reverseCapture', intentId: ann });
    group.voidIs({ status: 'voided' }, ann);
    expect(group.eventTypes).not.toContain('payment_intent.released');
  });

  it('an operator’s retry leads back to capturing while the holds live (D5)', () => {
    const { group, ann, bob } = capturing();
    group.captureFails(ann);
    group.captureFails(bob);
    group.accepts({ type: 'retryCapture' });
    expect(group.group.state).toBe('capturing');
    expect(group.slotStates).toEqual(['preauthorised', 'preauthorised']);
    expect(group.lastOperation('capture', ann).seq).toBe(2);
    group.captureFails(ann);
    group.captureFails(bob);
    group.accepts({ type: 'giveUpCapture' });
    expect(group.operations('void')).toHaveLength(2);
    expect(group.does({ type: 'retryCapture' })).toMatchObject({ code: 'conflict' });
    expect(group.does({ type: 'giveUpCapture' })).toMatchObject({ code: 'conflict' });
  });

  it('a failed capture becomes a success that is found late (D5)', () => {
    const { group, ann, bob } = capturing();
    group.captureFails(ann);
    group.captureFails(bob);
    group.captures(ann);
    expect(group.group.state).toBe('partially_paid');
    expect(group.slotStates).toEqual(['captured', 'cancelled']);
    expect(group.timer(`hold:${ann}`)).toBeUndefined();
  });

  it('a failed capture becomes a success that its void finds (D5)', () => {
    const { group, ann, bob } = capturing();
    group.captureFails(ann);
    group.captureFails(bob);
    group.accepts({ type: 'giveUpCapture' });
    group.voidIs({ status: 'captured' }, ann);
    expect(group.group.state).toBe('partially_paid');
    expect(group.intent(ann).state).toBe('captured');
  });

  it('a capture whose hold has ended at the gateway fails, whichever message reports it', () => {
    for (const tell of ['capture', 'callback'] as const) {
      const { group, ann } = capturing();
      if (tell === 'capture') group.captureIs({ status: 'lapsed' }, ann);
      else group.authorisationIs('lapsed', ann);
      expect(group.intent(ann)).toMatchObject({ state: 'capture_failed' });
      expect(group.operations('void', ann)).toEqual([]);
      expect(group.timer(`hold:${ann}`)).toBeUndefined();
      expect(group.balance('group:held')).toBe(1_000n);
      expect(group.does({ type: 'retryCapture' })).toMatchObject({ code: 'conflict' });
    }
  });

  it('a captured amount that differs from the hold is booked and opens an operator task (D8)', () => {
    const { group, ann } = capturing();
    group.captures(ann, 900n);
    expect(group.intent(ann).amountCapturedMinor).toBe(900n);
    expect(group.balance('merchant:captured')).toBe(900n);
    expect(group.balance('group:held')).toBe(1_000n);
    expect(group.alerts).toContain('captured_amount_mismatch');
  });

  it('a single intent leads its group from open straight to paid, without partially_paid (G7)', () => {
    const group = new Scenario();
    const intent = group.holds('ann');
    group.captures(intent);
    expect(group.history).toEqual(['open', 'preauthorised', 'capturing', 'paid']);
    expect(group.eventTypes).toEqual([
      'payment_intent.preauthorised',
      'payment_intent.captured',
      'group_payment.paid',
    ]);
  });

  it('an unknown capture that the gateway reversed ends at once, and so does the payment there (D6)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann', [1], 'gateway_a');
    group.authorises(ann);
    group.captureIs({ status: 'unknown' }, ann);
    group.captureIs({ status: 'lapsed' }, ann);
    expect(group.group.state).toBe('capture_failed');
    expect(group.timer(`capture:${ann}`)).toBeUndefined();
    expect(group.balance('group:held')).toBe(0n);
    expect(group.operations('void', ann)).toHaveLength(1);
    const events = group.events.filter(({ type }) => type === 'payment_intent.failed');
    expect(events).toMatchObject([{ data: { failure: { stage: 'capture' } } }]);
  });
});
