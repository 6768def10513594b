import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../../test/scenario.ts';
import type { Command } from '../index.ts';

const { minute, hour, day } = duration;

const until = (expiresAtMs: number | null, changesNames = false): Command => ({
  type: 'update',
  expiresAtMs,
  changesNames,
});
const refused = (reason: string) => ({
  kind: 'rejected',
  code: 'validation_error',
  param: 'expires_at',
  message: `Validation error: expires_at: ${reason}`,
});

describe('a later expiry', () => {
  it('a later expiry moves the timer of the group, changes no state and is announced (C9)', () => {
    const group = new Scenario();
    group.passes(hour).accepts(until(start + 3 * day));
    expect(group.group).toMatchObject({ state: 'open', expiresAtMs: start + 3 * day, sequence: 1 });
    expect(group.timer('expiry:group')).toBe(start + 3 * day);
    expect(group.eventTypes).toEqual(['group_payment.updated']);
    expect(group.history).toEqual(['open']);
  });

  it('a later expiry is obeyed by every later command, and the old timer fires without effect (C9)', () => {
    const group = new Scenario();
    group.accepts(until(start + 2 * day));
    group.nowMs = start + day;
    group.accepts({ type: 'expire' });
    expect(group.group.state).toBe('open');
    expect(group.timer('expiry:group')).toBe(start + 2 * day);
    group.holds('ann');
    expect(group.group.state).toBe('capturing');
  });

  it('a later expiry is refused from the instant of the expiry on, and the refusal performs the expiry (C2, C9)', () => {
    const inTime = new Scenario();
    inTime.nowMs = start + day - 1;
    inTime.accepts(until(start + 2 * day));
    const late = new Scenario();
    late.nowMs = start + day;
    expect(late.does(until(start + 2 * day))).toMatchObject({
      kind: 'accepted',
      refusal: { code: 'group_expired' },
      next: { state: 'expired', expiresAtMs: start + day },
    });
    expect(late.does(until(start + 2 * day))).toMatchObject({ kind: 'rejected', code: 'group_expired' });
  });

  it('a later expiry is refused once a capture was ordered, and after a cancellation (C9, R7)', () => {
    const capturing = new Scenario();
    capturing.holds('ann');
    const cancelled = new Scenario();
    cancelled.accepts({ type: 'cancel' });
    const names = '; group_name and metadata can be changed in every state';
    expect(capturing.does(until(start + 2 * day))).toEqual({
      kind: 'rejected',
      code: 'group_not_payable',
      message: 'the expiry of the group payment cannot be changed in its current state',
      hint: `the state of the group payment is capturing: its payments are being captured; what is captured can be refunded${names}`,
    });
    expect(cancelled.does(until(start + 2 * day))).toMatchObject({
      code: 'group_not_payable',
      hint: expect.stringMatching(/^the state of the group payment is cancelled: /),
    });
  });

  it('a new expiry is at most seven days after the creation, not after the update, and never earlier than before (C9)', () => {
    const group = new Scenario();
    group.passes(hour);
    const earlier = 'must be later than the expiry so far, 2030-01-02T00:00:00.000Z';
    expect(group.does(until(start + day - 1))).toMatchObject(refused(earlier));
    const tooLate = 'cannot be more than 7 days after the creation, 2030-01-08T00:00:00.000Z';
    expect(group.does(until(start + 7 * day + 1))).toMatchObject(refused(tooLate));
    expect(group.does(until(Number.NaN))).toMatchObject({ kind: 'rejected', code: 'validation_error' });
    group.accepts(until(start + 7 * day));
  });

  it('a later expiry lets a hold that ends before it be given back two hours earlier, and its slots be paid again (C4, C9)', () => {
    const group = new Scenario({ expiresInMs: 6 * day });
    const held = group.holds('ann', [1]);
    group.passes(hour).accepts(until(start + 7 * day));
    group.nowMs = start + 7 * day - 2 * hour;
    expect(group.timer(`hold:${held}`)).toBe(group.nowMs);
    group.accepts({ type: 'holdExpiryDue', intentId: held });
    expect(group.intent(held).state).toBe('failed');
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    expect(group.operations('void', held)).toHaveLength(1);
    group.passes(minute).holds('ben');
    expect(group.group.state).toBe('capturing');
  });

  it('a later expiry leaves reservations and authorisations on their way as they are (C9)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const reservation = group.timer(`reservation:${intent}`);
    group.begins(intent);
    group.accepts(until(start + 2 * day));
    expect(group.timer(`reservation:${intent}`)).toBe(reservation);
    group.authorises(intent);
    expect(group.slotStates).toEqual(['preauthorised', 'unassigned']);
  });
});

describe('new names', () => {
  it('new names are accepted in every state and announced with the state as it is (C9)', () => {
    const paid = new Scenario();
    paid.isPaid();
    const cancelled = new Scenario();
    cancelled.accepts({ type: 'cancel' });
    for (const group of [paid, cancelled]) {
      const { state, version } = group.group;
      group.accepts(until(null, true));
      expect(group.group).toMatchObject({ state, version: version + 1 });
      expect(group.events.at(-1)).toMatchObject({ type: 'group_payment.updated', data: { state } });
    }
  });

  it('new names are not written when the expiry beside them is refused (C9)', () => {
    const group = new Scenario();
    group.accepts({ type: 'cancel' });
    expect(group.does(until(start + 2 * day, true)).kind).toBe('rejected');
  });

  it('an update that changes nothing is no news (C9)', () => {
    const group = new Scenario();
    expect(group.does(until(start + day))).toEqual({ kind: 'ignored', reason: 'nothing_changes' });
    expect(group.does(until(null))).toEqual({ kind: 'ignored', reason: 'nothing_changes' });
  });
});
