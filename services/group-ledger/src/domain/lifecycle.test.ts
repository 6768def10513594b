import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../test/scenario.ts';

describe('the way of a group', () => {
  it('a group leads from open over holds and captures to paid, each state logged, each event once', () => {
    const group = new Scenario();
    const first = group.holds('ann', [1]);
    expect(group.group.state).toBe('partially_preauthorised');
    const second = group.holds('bob', [2]);
    expect(group.group.state).toBe('capturing');
    group.captures(first);
    group.captures(second);

    expect(group.history).toEqual([
      'open',
      'partially_preauthorised',
      'preauthorised',
      'capturing',
      'partially_paid',
      'paid',
    ]);
    expect(group.eventTypes).toEqual([
      'payment_intent.preauthorised',
      'payment_intent.preauthorised',
      'payment_intent.captured',
      'group_payment.partially_paid',
      'payment_intent.captured',
      'group_payment.paid',
    ]);
    expect(group.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(group.slotStates).toEqual(['captured', 'captured']);
    expect(group.balance('merchant:captured')).toBe(2_000n);
    expect(group.balance('group:held')).toBe(0n);
  });

  it('a group expires when a slot is left without a hold, releases every hold and charges no payer', () => {
    const group = new Scenario();
    const held = group.holds('ann', [1]);
    group.passes(duration.day).accepts({ type: 'expire' });
    expect(group.group.state).toBe('expired');
    expect(group.slotStates).toEqual(['expired', 'expired']);
    expect(group.intent(held).state).toBe('void_pending');
    group.voidIs({ status: 'voided' }, held);
    expect(group.intent(held).state).toBe('voided');
    expect(group.balance('group:held')).toBe(0n);
    expect(group.operations('capture')).toEqual([]);
    expect(group.eventTypes).toEqual([
      'payment_intent.preauthorised',
      'group_payment.expired',
      'payment_intent.released',
    ]);
  });

  it('a group leads from refunds of everything to refunded', () => {
    const group = new Scenario();
    const intents = group.isPaid();
    group.opensRefund();
    expect(group.group.state).toBe('refunding');
    for (const intent of intents) group.refunds(intent);
    expect(group.group.state).toBe('refunded');
    expect(group.eventTypes.slice(-3)).toEqual([
      'payment_intent.refunded',
      'payment_intent.refunded',
      'group_payment.refunded',
    ]);
    expect(group.balance('merchant:captured')).toBe(0n);
    expect(group.balance('payer:refunded')).toBe(2_000n);
  });
});
