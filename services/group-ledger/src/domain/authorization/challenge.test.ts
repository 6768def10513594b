import { beforeEach, describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';

const { minute, day } = duration;

describe('a payer who is awaited at the bank by gateway_b', () => {
  let group: Scenario;
  let intentId: string;
  let authorizationId: string;
  const note = (isAnswer: boolean) =>
    ({ type: 'noteAuthorising', intentId, authorizationId, pspReference: 'pay_1', isAnswer }) as const;
  const reservedUntilMs = () => group.group.slots[0]?.reservedUntilMs;

  beforeEach(() => {
    group = new Scenario();
    intentId = group.reserves('ann', [1]);
    group.passes(10 * minute);
    authorizationId = group.begins(intentId);
  });

  it('the reservation lasts another 15 minutes, and then the payment is ended unless it was authorised (Q51, A6)', () => {
    group.accepts(note(false));
    expect(reservedUntilMs()).toBe(group.nowMs + 15 * minute);
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    const [order, ...more] = group.operations('void', intentId);
    expect(order).toMatchObject({ authorizationId, pspReference: 'pay_1', unlessAuthorised: true });
    expect(more).toEqual([]);
    expect(group.slotStates[0]).toBe('assigned');
    group.voidIs({ status: 'voided' }, intentId);
    expect(group.slotStates[0]).toBe('unassigned');
    expect(group.intent(intentId)).toMatchObject({
      state: 'failed',
      failure: { code: 'reservation_expired' },
    });
  });

  it('the hold of a payer who was just in time is kept (Q51, A7)', () => {
    group.accepts(note(false));
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    const { amountMinor } = group.intent(intentId);
    const hold = { amountMinor, captureBeforeMs: group.nowMs + day, pspReference: 'pay_1' };
    group.voidIs({ status: 'already_authorised', ...hold }, intentId);
    expect(group.slotStates[0]).toBe('preauthorised');
  });

  it('a query brings the name under which the payment can be ended, and prolongs nothing (Q51, R4)', () => {
    const before = reservedUntilMs();
    group.accepts(note(true));
    expect(reservedUntilMs()).toBe(before);
    expect(group.does(note(true))).toEqual({ kind: 'ignored', reason: 'authentication_already_known' });
    group.passes(5 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    expect(group.operations('void', intentId)).toMatchObject([{ pspReference: 'pay_1' }]);
  });

  it.each([
    ['the group expires', () => group.passes(day).accepts({ type: 'expire' })],
    ['the group is cancelled', () => group.accepts({ type: 'cancel' })],
    ['the payer takes other slots', () => void group.reserves('ann', [1, 2])],
  ])('the payment is ended at once when %s (Q51, R3)', (_what, happens) => {
    group.accepts(note(false));
    happens();
    expect(group.operations('void', intentId)).toMatchObject([{ authorizationId, unlessAuthorised: false }]);
    expect(group.intent(intentId).state).toBe('void_pending');
    group.voidIs({ status: 'voided' }, intentId);
    expect(group.intent(intentId).state).toBe('voided');
  });

  it('a call that was not answered yet cannot be ended: its payment has no name (B7)', () => {
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId });
    expect(group.operations('void', intentId)).toEqual([]);
    expect(group.operations('query', intentId)).toHaveLength(1);
  });
});
