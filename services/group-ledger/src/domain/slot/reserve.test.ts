import { describe, expect, it } from '@jest/globals';
import { duration, Scenario, start } from '../../../test/scenario.ts';
import type { Command } from '../command.ts';

const { minute } = duration;

describe('taking slots', () => {
  it('a reservation gives a slot to one payer and tells the second that it is taken (A1)', () => {
    const group = new Scenario();
    group.reserves('ann', [1]);
    const taken = group.does(group.reservation('bob', [1], 'gateway_b'));
    expect(taken).toEqual({
      kind: 'rejected',
      code: 'no_payable_slots',
      details: [{ param: 'slot_ids', reason: 'is not free', slot_id: group.slotId(1) }],
    });
    expect(group.group.slots[0]).toMatchObject({ state: 'assigned', assignedCustomerId: 'ann' });
    expect(group.group.slots[0]?.reservedUntilMs).toBe(start + 15 * minute);
  });

  it('a reservation takes all slots or none, and names the taken ones (A2)', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    group.reserves('ann', [1, 2]);
    expect(group.does(group.reservation('bob', [2, 3], 'gateway_b'))).toMatchObject({
      details: [{ param: 'slot_ids', reason: 'is not free', slot_id: group.slotId(2) }],
    });
    expect(group.slotStates).toEqual(['assigned', 'assigned', 'unassigned']);
  });

  it('a reservation without slots takes all that are free, and leaves the loser the remainder or nothing (A3)', () => {
    const group = new Scenario();
    group.reserves('ann', [1]);
    const rest = group.reserves('bob');
    expect(group.intent(rest).slotIds).toEqual([group.slotId(2)]);
    expect(group.does(group.reservation('cem', undefined, 'gateway_b'))).toMatchObject({
      code: 'no_payable_slots',
    });
  });

  it('the same payer who pays the same slots again, in any order, gets the same unheld intent (A4)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1, 2]);
    expect(group.reserves('ann', [2, 1])).toBe(intent);
    expect(group.last).toMatchObject({ kind: 'ignored', reply: { reused: true } });
    expect(group.reserves('ann')).toBe(intent);
    expect(group.group.intents).toHaveLength(1);
  });

  describe('for another browser with the e-mail address of the payer', () => {
    const asks = (group: Scenario, requesters: string[] | null, slots?: readonly number[]) =>
      group.does({ ...group.reservation('ann', slots, 'gateway_a'), requesters } as Command);
    const intents = (group: Scenario) => group.group.intents.map(({ id }) => id);

    it.each([[[1, 2]], [undefined]])(
      'slots %j are a new intent, and the first is ended: what belongs to it is shown to its own browser only (A4, A11)',
      (slots) => {
        const group = new Scenario();
        asks(group, ['first', 'key'], slots);
        const [first = ''] = intents(group);
        asks(group, ['second', 'another key'], slots);
        const [, second = ''] = intents(group);
        expect(group.intent(first)).toMatchObject({ state: 'void_pending', supersededBy: second });
        expect(group.group.slots.map(({ intentId }) => intentId)).toEqual([second, second]);
        expect(asks(group, ['second'], slots)).toMatchObject({ kind: 'ignored', reply: { reused: true } });
      },
    );

    it('the browser that opened the intent continues it with another token, by its key, and with another key (A4)', () => {
      const group = new Scenario();
      asks(group, ['first', 'key'], [1]);
      for (const again of [['second', 'key'], ['first', 'another key'], ['first']])
        expect(asks(group, again, [1])).toMatchObject({ kind: 'ignored', reply: { reused: true } });
      expect(intents(group)).toHaveLength(1);
    });

    it('the merchant’s server continues what any browser began, and a browser nothing of the server’s (A4)', () => {
      const group = new Scenario();
      asks(group, ['first', 'key'], [1]);
      expect(asks(group, null, [1])).toMatchObject({ kind: 'ignored', reply: { reused: true } });
      group.reserves('ann', [2], 'gateway_a');
      asks(group, ['first', 'key'], [2]);
      expect(intents(group)).toHaveLength(3);
    });
  });

  it('a held slot is taken for everybody, its own payer included (A4)', () => {
    const group = new Scenario();
    group.holds('ann', [1]);
    expect(group.does(group.reservation('ann', [1], 'gateway_b'))).toMatchObject({
      code: 'no_payable_slots',
    });
  });

  it('a reservation replaces the overlapping unheld intent of the same payer and frees the slots the new one leaves (A5)', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    const first = group.reserves('ann', [1, 2], 'gateway_a');
    const second = group.reserves('ann', [2, 3], 'gateway_a');
    expect(group.slotStates).toEqual(['unassigned', 'assigned', 'assigned']);
    expect(group.intent(first)).toMatchObject({ state: 'void_pending', supersededBy: second });
    expect(group.operations('void', first)).toHaveLength(1);
    group.voidIs({ status: 'voided' }, first);
    expect(group.intent(first).state).toBe('voided');
    expect(group.eventTypes).toEqual([]);
  });

  it('a replaced intent that is authorised nevertheless is voided, even though its slots are free (A5)', () => {
    const group = new Scenario();
    const first = group.reserves('ann', [1, 2]);
    group.begins(first);
    group.reserves('ann', [2]);
    group.authorises(first);
    expect(group.slotStates).toEqual(['unassigned', 'assigned']);
    expect(group.operations('void', first)).toHaveLength(1);
    group.voidIs({ status: 'voided' }, first);
    expect(group.intent(first).state).toBe('voided');
  });

  it('a replaced intent for which nothing was tried ends at once (A5)', () => {
    const group = new Scenario();
    const first = group.reserves('ann', [1, 2]);
    group.reserves('ann', [1]);
    expect(group.intent(first).state).toBe('voided');
    expect(group.operations('void')).toEqual([]);
  });

  it('a replacement keeps the end of the reservation it replaces, with any slots and session token (A6)', () => {
    const group = new Scenario({ slots: [1n, 1n, 1n] });
    group.reserves('ann', [1, 2]);
    group.passes(10 * minute);
    const chosen = group.reserves('ann', [2, 3]);
    expect(group.timer(`reservation:${chosen}`)).toBe(start + 15 * minute);
    group.does({ ...group.reservation('ann', [2, 3]), requesters: ['other'] } as Command);
    const newest = group.group.intents.at(-1)!;
    expect(newest.id).not.toBe(chosen);
    expect(group.timer(`reservation:${newest.id}`)).toBe(start + 15 * minute);
    const fresh = group.reserves('ann', [1]);
    expect(group.timer(`reservation:${fresh}`)).toBe(start + 25 * minute);
  });

  it('a reservation of another payer replaces nothing (A5)', () => {
    const group = new Scenario();
    group.reserves('ann', [1]);
    expect(group.does(group.reservation('bob', [1, 2], 'gateway_b'))).toMatchObject({ kind: 'rejected' });
  });

  it('a reservation refuses slots that are unknown or named twice, and an empty list (A9)', () => {
    const group = new Scenario();
    const reserve = { ...group.reservation('ann', [1], 'gateway_b') } as const;
    const invalid = { kind: 'rejected', code: 'invalid_slot_ids' };
    for (const slotIds of [[group.slotId(1), group.slotId(1)], []])
      expect(group.does({ ...reserve, slotIds } as never)).toEqual(invalid);
    expect(group.does({ ...reserve, slotIds: [group.slotId(1), 'foreign'] } as never)).toEqual({
      ...invalid,
      details: [{ param: 'slot_ids', reason: 'is no slot of this group payment', slot_id: 'foreign' }],
    });
  });

  it('a reservation keeps its account when the merchant switches gateways (B11)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    group.reserves('bob', [2], 'gateway_b');
    expect(group.intent(intent)).toMatchObject({ pspCode: 'gateway_a', credentialVersion: 1 });
    expect(group.reserves('ann', [1], 'gateway_b')).not.toBe(intent);
  });

  it('a reservation is refused while no gateway is active, and takes no slot', () => {
    const group = new Scenario();
    const reserve = {
      type: 'reserve',
      requesters: null,
      customerId: 'ann',
      slotIds: [group.slotId(1)],
      account: null,
    } as const;
    expect(group.does(reserve)).toEqual({ kind: 'rejected', code: 'no_active_gateway' });
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
  });

  it('a group that has ended refuses reservations with that reason, even while no gateway is active', () => {
    const group = new Scenario();
    group.passes(duration.day);
    const reserve = {
      type: 'reserve',
      requesters: null,
      customerId: 'ann',
      slotIds: null,
      account: null,
    } as const;
    expect(group.does(reserve)).toMatchObject({ kind: 'accepted', refusal: { code: 'group_expired' } });
  });

  it('a reservation with a disconnected account is refused', () => {
    const group = new Scenario();
    group.revoked.add('gateway_b/1');
    expect(group.does(group.reservation('ann', [1], 'gateway_b'))).toMatchObject({
      code: 'no_active_gateway',
    });
  });

  it('a reservation performs an expiry that the scheduler is late for, and is refused (C2)', () => {
    const group = new Scenario();
    group.passes(duration.day);
    const decision = group.does(group.reservation('ann', [1], 'gateway_b'));
    expect(decision).toMatchObject({ kind: 'accepted', refusal: { code: 'group_expired' } });
    expect(group.group.state).toBe('expired');
    expect(group.does(group.reservation('ann', [1], 'gateway_b'))).toEqual({
      kind: 'rejected',
      code: 'group_expired',
      hint: 'the state of the group payment is expired: its holds are released and nobody is charged; create a new group payment',
    });
  });

  it('a reservation in a cancelled or capturing group is refused', () => {
    const cancelled = new Scenario();
    cancelled.accepts({ type: 'cancel' });
    expect(cancelled.does(cancelled.reservation('ann', [1], 'gateway_b'))).toMatchObject({
      code: 'group_not_payable',
    });
    const paid = new Scenario();
    paid.isPaid();
    expect(paid.does(paid.reservation('ann', [1], 'gateway_b'))).toMatchObject({ code: 'group_not_payable' });
  });

  it('a reservation returns its slots when the gateway could not prepare the payment, once', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1, 2], 'gateway_a');
    const failure = { code: 'gateway_unavailable', message: 'try later', retryable: true };
    group.accepts({ type: 'release', intentId: intent, failure });
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    expect(group.intent(intent)).toMatchObject({ state: 'failed', failure });
    expect(group.eventTypes).toEqual(['payment_intent.failed']);
    expect(group.does({ type: 'release', intentId: intent, failure })).toMatchObject({ kind: 'ignored' });
  });

  describe('for a payer who may take some slots only (Q6)', () => {
    const limited = () => new Scenario({ slots: [1n, 1n, 1n] });
    const within = (group: Scenario, may: readonly number[], wants?: readonly number[]) =>
      group.does({
        ...group.reservation('ann', wants),
        withinSlotIds: may.map((number) => group.slotId(number)),
      } as Command);

    it('a payer with limited slots takes the free ones of those when none are named, and no others (Q6)', () => {
      const group = limited();
      group.reserves('bob', [1]);
      within(group, [1, 2]);
      expect(group.group.slots.map((slot) => slot.assignedCustomerId)).toEqual(['bob', 'ann', null]);
      const none = limited();
      none.reserves('bob', [1, 2]);
      expect(within(none, [1, 2])).toMatchObject({ kind: 'rejected', code: 'no_payable_slots' });
      expect(none.slotStates).toEqual(['assigned', 'assigned', 'unassigned']);
    });

    it.each([[[3]], [[1, 3]]])(
      'a payer limited to other slots is refused %j of slots 1 and 2, and takes nothing (Q6)',
      (wants) => {
        const group = limited();
        const reason = 'is not among the slots of this session token';
        expect(within(group, [1, 2], wants)).toEqual({
          ...{ kind: 'rejected', code: 'invalid_slot_ids' },
          details: [{ param: 'slot_ids', reason, slot_id: group.slotId(3) }],
        });
        expect(group.slotStates).toEqual(['unassigned', 'unassigned', 'unassigned']);
      },
    );

    it('a payer with limited slots neither gets nor replaces an intent of the same payer that reaches beyond them (Q6)', () => {
      const group = limited();
      const wide = group.reserves('ann', [1, 3]);
      expect(within(group, [1, 2], [1])).toMatchObject({ code: 'no_payable_slots' });
      within(group, [1, 2]);
      expect(group.intent(wide).state).toBe('created');
      expect(group.group.intents.at(-1)?.slotIds).toEqual([group.slotId(2)]);
      expect(within(group, [3])).toMatchObject({ code: 'no_payable_slots' });
    });
  });
});

describe('abandoned reservations', () => {
  it('abandoned reservations return their slots after fifteen minutes, on gateway_c after forty (A6)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const other = group.reserves('bob', [2], 'gateway_c');
    expect(group.timer(`reservation:${intent}`)).toBe(start + 15 * minute);
    expect(group.timer(`reservation:${other}`)).toBe(start + 40 * minute);
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.slotStates).toEqual(['unassigned', 'assigned']);
    expect(group.intent(intent)).toMatchObject({ state: 'failed', failure: { code: 'reservation_expired' } });
  });

  it('reservations are checked again when the timer fires early (A6)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    group.passes(minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.slotStates).toEqual(['assigned', 'unassigned']);
    expect(group.timer(`reservation:${intent}`)).toBe(start + 15 * minute);
  });

  it('reservations are renewed by authentication at the gateway, twice at most (A6)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    const note = {
      type: 'noteAuthorising',
      intentId: intent,
      authorizationId: group.newestAuthorizationId(intent),
      pspReference: 'pi',
    } as const;
    group.passes(10 * minute).accepts(note);
    expect(group.timer(`reservation:${intent}`)).toBe(start + 25 * minute);
    expect(group.intent(intent).state).toBe('processing');
    group.passes(10 * minute).accepts(note);
    expect(group.passes(10 * minute).does(note)).toEqual({ kind: 'ignored', reason: 'no_more_renewals' });
    expect(group.timer(`reservation:${intent}`)).toBe(start + 35 * minute);
  });

  it('reservations keep their slots while an authorization is in flight, and the gateway is queried (A7)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    group.begins(intent);
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.slotStates).toEqual(['assigned', 'unassigned']);
    expect(group.operations('query', intent)).toHaveLength(1);
    expect(group.timer(`reservation:${intent}`)).toBe(group.nowMs + 2 * minute);
  });

  it('abandoned payments are ended on gateway_a first, and only then their slots are free (A7)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.lastOperation('void', intent).unlessAuthorised).toBe(true);
    expect(group.slotStates).toEqual(['assigned', 'unassigned']);
    group.voidIs({ status: 'voided' }, intent);
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    expect(group.intent(intent)).toMatchObject({ failure: { code: 'reservation_expired' } });
  });

  it('abandoned payments succeed when gateway_a reports that they are already authorised (A7)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.authorises(intent)).toEqual({ kind: 'ignored', reason: 'cancellation_in_flight' });
    const captureBeforeMs = group.nowMs + 7 * duration.day;
    group.voidIs(
      { status: 'already_authorised', amountMinor: 1_000n, captureBeforeMs, pspReference: 'pi' },
      intent,
    );
    expect(group.slotStates).toEqual(['preauthorised', 'unassigned']);
    expect(group.timer(`void:${group.newestAuthorizationId(intent)}`)).toBeUndefined();
  });

  it('abandoned payments wait on gateway_c for a positive "no such payment" (A7)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_c');
    group.passes(40 * minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.operations('void', intent)).toEqual([]);
    expect(group.operations('query', intent)).toHaveLength(1);
    expect(group.slotStates).toEqual(['assigned', 'unassigned']);
    group.authorisationIs('absent', intent);
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
  });

  it('a late hold whose slot is still free takes the slot again (A8)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1]);
    const authorization = group.begins(intent);
    group.authorisationIs('absent', intent);
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    group.authorises(intent, authorization);
    expect(group.slotStates).toEqual(['preauthorised', 'unassigned']);
    expect(group.intent(intent)).toMatchObject({ state: 'preauthorised' });
    expect(group.intent(intent)).not.toHaveProperty('failure');
  });

  it('a late hold whose slot was taken in the meantime is voided (A8)', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1, 2]);
    const authorization = group.begins(intent);
    group.authorisationIs('absent', intent);
    group.reserves('bob', [2]);
    group.authorises(intent, authorization);
    expect(group.slotStates).toEqual(['unassigned', 'assigned']);
    expect(group.operations('void', intent)).toHaveLength(1);
    expect(group.events.at(-1)).toMatchObject({
      type: 'payment_intent.failed',
      data: { failure: { stage: 'authorise', code: 'slot_no_longer_available' } },
    });
    expect(group.balance('group:held')).toBe(2_000n);
    group.voidIs({ status: 'voided' }, intent);
    expect(group.balance('group:held')).toBe(0n);
  });

  it('an abandoned reservation leaves no payment open at gateway_a after a decline', () => {
    const group = new Scenario();
    const intent = group.reserves('ann', [1], 'gateway_a');
    group.declines(intent);
    expect(group.slotStates).toEqual(['unassigned', 'unassigned']);
    expect(group.timer(`reservation:${intent}`)).toBe(start + 15 * minute);
    group.passes(15 * minute).accepts({ type: 'reservationExpiryDue', intentId: intent });
    expect(group.lastOperation('void', intent).unlessAuthorised).toBe(true);
  });
});
