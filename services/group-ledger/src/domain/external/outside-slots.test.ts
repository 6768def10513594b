import { describe, expect, it } from '@jest/globals';
import { Scenario } from '../../../test/scenario.ts';

/** A payer of 1,000 whose gateway holds 999, so that a void is ordered. */
function heldWrongly() {
  const group = new Scenario({ slots: [1_000n] });
  const ann = group.reserves('ann');
  const authorizationId = group.begins(ann);
  group.authorises(ann, authorizationId, 999n);
  return { group, on: { intentId: ann, authorizationId }, ann };
}

/** The same hold, captured by the merchant before the void arrived. */
function chargedWrongly() {
  const wrong = heldWrongly();
  wrong.group.accepts({ type: 'recordExternalCapture', ...wrong.on, amountMinor: 999n });
  return wrong;
}

const sumAccounts = (group: Scenario) => ({
  held: group.balance('group:held'),
  captured: group.balance('merchant:captured'),
  refunded: group.balance('payer:refunded'),
});

const findAmounts = (group: Scenario, authorizationId: string) => {
  const authorizations = group.group.intents.flatMap((intent) => intent.authorizations);
  const found = authorizations.find(({ id }) => id === authorizationId);
  return [found?.amountCapturedMinor, found?.amountRefundedMinor];
};

describe('charges of holds that the group does not count', () => {
  it('a hold of another amount that is captured before its void arrives is booked as a charge, once, and leaves slots and intent alone (Q82)', () => {
    const { group, on, ann } = heldWrongly();
    const before = { slots: group.group.slots, state: group.intent(ann).state, events: group.events.length };
    group.accepts({ type: 'recordExternalCapture', ...on, amountMinor: 999n });
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 999n, refunded: 0n });
    expect(findAmounts(group, on.authorizationId)).toEqual([999n, 0n]);
    expect(group.alerts).toEqual(['amount_mismatch', 'captured_after_release']);
    expect(group.group.slots).toBe(before.slots);
    expect(group.intent(ann)).toMatchObject({ state: before.state, amountCapturedMinor: 0n });
    expect(group.events).toHaveLength(before.events);
    expect(group.group.voids).toMatchObject([{ state: 'refused' }]);
    expect(group.timer(`void:${on.authorizationId}`)).toBeUndefined();
    const again = group.does({ type: 'recordExternalCapture', ...on, amountMinor: 999n });
    expect(again).toEqual({ kind: 'ignored', reason: 'already_captured' });
    expect(group.voidIs({ status: 'captured', amountMinor: 999n }, ann)).toMatchObject(again);
    expect(group.authorisationIs('lapsed', ann)).toEqual(again);
    expect(group.alerts).toHaveLength(2);
  });

  it('the answer of the void books the charge where it is the first to report it (Q82)', () => {
    const { group, on, ann } = heldWrongly();
    group.voidIs({ status: 'captured' }, ann);
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 999n, refunded: 0n });
    expect(group.does({ type: 'recordExternalCapture', ...on, amountMinor: 999n }).kind).toBe('ignored');
  });

  it('a charge of a part gives the rest of the hold back, and one of more than the hold books the hold alone (Q82)', () => {
    const part = heldWrongly();
    part.group.accepts({ type: 'recordExternalCapture', ...part.on, amountMinor: 400n });
    expect(sumAccounts(part.group)).toEqual({ held: 0n, captured: 400n, refunded: 0n });
    const more = heldWrongly();
    more.group.accepts({ type: 'recordExternalCapture', ...more.on, amountMinor: 5_000n });
    expect(sumAccounts(more.group)).toEqual({ held: 0n, captured: 999n, refunded: 0n });
    expect(more.group.alerts.at(-1)).toBe('captured_amount_mismatch');
  });

  it('a charge outside the slots stays there when the group ends, and is not booked on the intent as well (Q82)', () => {
    const { group, on, ann } = chargedWrongly();
    group.accepts({ type: 'cancel' });
    const again = group.does({ type: 'recordExternalCapture', ...on, amountMinor: 999n });
    expect(again).toEqual({ kind: 'ignored', reason: 'already_captured' });
    expect(group.intent(ann).amountCapturedMinor).toBe(0n);
    expect(group.balance('merchant:captured')).toBe(999n);
  });

  it('a charge whose hold was never reported is booked with its hold first, while another payer has the slot (Q82)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann', [1], 'gateway_a');
    const on = { intentId: ann, authorizationId: group.newestAuthorizationId(ann) };
    group.accepts({ type: 'recordAuthorisation', ...on, result: { status: 'absent' } });
    group.holds('bob', [1]);
    const slots = group.group.slots;
    const voids = group.operations('void').length;
    group.accepts({ type: 'recordExternalCapture', ...on, amountMinor: 1_000n });
    expect(group.balance('merchant:captured')).toBe(1_000n);
    expect(findAmounts(group, on.authorizationId)).toEqual([1_000n, 0n]);
    expect(group.group.slots).toBe(slots);
    expect(group.operations('void')).toHaveLength(voids);
    expect(group.authorises(ann).kind).toBe('ignored');
    expect(group.balance('group:held')).toBe(1_000n);
  });

  it('a charge that is reported before its hold takes the slots that are reserved for it (C6)', () => {
    const group = new Scenario();
    const ann = group.reserves('ann', [1]);
    const on = { intentId: ann, authorizationId: group.begins(ann) };
    group.accepts({ type: 'recordExternalCapture', ...on, amountMinor: 1_000n });
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountCapturedMinor: 1_000n });
    expect(group.slotStates).toEqual(['captured', 'unassigned']);
    expect(group.alerts).toEqual(['captured_outside']);
    expect(group.authorises(ann).kind).toBe('ignored');
  });

  it('a refund of such a charge is booked, whole or in part, and never more than was captured (Q82)', () => {
    const { group, on } = chargedWrongly();
    const refund = { type: 'recordExternalRefund', ...on } as const;
    group.accepts({ ...refund, refundId: 're_1', amountMinor: 300n });
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 699n, refunded: 300n });
    group.accepts({ ...refund, refundId: 're_2', amountMinor: 5_000n });
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 0n, refunded: 999n });
    expect(findAmounts(group, on.authorizationId)).toEqual([999n, 999n]);
    expect(group.alerts.slice(-2)).toEqual(['refunded_outside', 'refunded_outside']);
    expect(group.does({ ...refund, refundId: 're_2', amountMinor: 999n }).kind).toBe('ignored');
    expect(group.group.refundLines).toEqual([]);
  });

  it('a refund, a bounce and a reversal wait until what they undo was reported (Q82)', () => {
    const { group, on } = heldWrongly();
    const amountMinor = 999n;
    const refund = { type: 'recordExternalRefund', ...on, refundId: 're_1', amountMinor } as const;
    const bounce = { type: 'reverseExternalRefund', ...on, amountMinor } as const;
    const conflict = { kind: 'rejected', code: 'conflict' };
    expect(group.does(refund)).toEqual(conflict);
    expect(group.does(bounce)).toEqual(conflict);
    expect(group.does({ type: 'reverseCapture', ...on })).toEqual(conflict);
    group.accepts({ type: 'recordExternalCapture', ...on, amountMinor });
    expect(group.does(bounce)).toEqual(conflict);
    group.accepts(refund);
    group.accepts(bounce);
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 999n, refunded: 0n });
    expect(group.alerts.at(-1)).toBe('refund_reversed');
  });

  it('a bounce takes back no more than was refunded (Q82)', () => {
    const { group, on } = chargedWrongly();
    group.accepts({ type: 'recordExternalRefund', ...on, refundId: 're_1', amountMinor: 300n });
    group.accepts({ type: 'reverseExternalRefund', ...on, amountMinor: 999n });
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 999n, refunded: 0n });
  });

  it('a reversal by the scheme gives back what was not refunded, and changes no charge that counts (Q82)', () => {
    const { group, on } = chargedWrongly();
    group.accepts({ type: 'recordExternalRefund', ...on, refundId: 're_1', amountMinor: 300n });
    const released = group.eventTypes.filter((type) => type === 'payment_intent.released');
    group.accepts({ type: 'reverseCapture', ...on });
    expect(sumAccounts(group)).toEqual({ held: 0n, captured: 0n, refunded: 300n });
    expect(findAmounts(group, on.authorizationId)).toEqual([300n, 300n]);
    expect(group.alerts.at(-1)).toBe('capture_reversed');
    expect(group.eventTypes.filter((type) => type === 'payment_intent.released')).toEqual(released);
    expect(group.accepts({ type: 'reverseCapture', ...on }).postings).toEqual([]);
    const late = group.does({ type: 'recordExternalCapture', ...on, amountMinor: 999n });
    expect(late).toEqual({ kind: 'ignored', reason: 'already_captured' });
  });

  it('a reversal of a second charge leaves the one that counts (Q82)', () => {
    const group = new Scenario({ slots: [1_000n] });
    const ann = group.reserves('ann');
    const first = group.begins(ann);
    group.authorisationIs('absent', ann);
    group.begins(ann);
    group.authorises(ann);
    group.captures(ann);
    group.authorises(ann, first);
    const on = { intentId: ann, authorizationId: first };
    group.accepts({ type: 'recordExternalCapture', ...on, amountMinor: 1_000n });
    expect(group.balance('merchant:captured')).toBe(2_000n);
    group.accepts({ type: 'reverseCapture', ...on });
    expect(group.balance('merchant:captured')).toBe(1_000n);
    expect(group.intent(ann)).toMatchObject({ state: 'captured', amountCapturedMinor: 1_000n });
    expect(group.group.state).toBe('paid');
  });

  it('a charge of a hold that had ended, or in another currency, is not booked, and opens an operator task (Q82)', () => {
    const ended = heldWrongly();
    ended.group.voidIs({ status: 'voided' }, ended.ann);
    const late = ended.group.accepts({ type: 'recordExternalCapture', ...ended.on, amountMinor: 999n });
    expect(late.postings).toEqual([]);
    const foreign = new Scenario({ slots: [1_000n] });
    const ann = foreign.reserves('ann');
    const on = { intentId: ann, authorizationId: foreign.begins(ann) };
    foreign.authorises(ann, on.authorizationId, 0n);
    foreign.voidIs({ status: 'captured' }, ann);
    const refund = { type: 'recordExternalRefund', ...on, refundId: 're_1', amountMinor: 5n } as const;
    expect(foreign.accepts(refund).postings).toEqual([]);
    for (const { group } of [ended, { group: foreign }])
      expect(group.alerts).toContain('captured_after_release');
  });
});
