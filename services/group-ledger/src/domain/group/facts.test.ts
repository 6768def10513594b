import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';
import { awaitsPayers, isSettled } from './facts.ts';

const factsOf = ({ group }: Scenario) => [group.state, awaitsPayers(group), isSettled(group)];

describe('a group awaits payers', () => {
  it('a group awaits payers until every slot is held', () => {
    const group = new Scenario();
    expect(factsOf(group)).toEqual(['open', true, false]);
    group.holds('ann', [1]);
    expect(factsOf(group)).toEqual(['partially_preauthorised', true, false]);
    group.holds('bob', [2]);
    expect(factsOf(group)).toEqual(['capturing', false, false]);
  });

  it('a group awaits no payers while all slots are held and the captures cannot start yet', () => {
    const { group } = new Scenario();
    expect(awaitsPayers({ ...group, state: 'preauthorised' })).toBe(false);
  });
});

describe('a group is settled', () => {
  it('a group is settled once it expired or was cancelled', () => {
    const late = new Scenario();
    late.passes(duration.day).accepts({ type: 'expire' });
    expect(factsOf(late)).toEqual(['expired', false, true]);
    const called = new Scenario();
    called.accepts({ type: 'cancel' });
    expect(factsOf(called)).toEqual(['cancelled', false, true]);
  });

  it('a group is settled once every capture and refund has its outcome', () => {
    const group = new Scenario();
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.captures(ann);
    expect(factsOf(group)).toEqual(['partially_paid', false, false]);
    group.captures(bob);
    expect(factsOf(group)).toEqual(['paid', false, true]);
    group.opensRefund([1]);
    expect(factsOf(group)).toEqual(['refunding', false, false]);
    group.refunds(ann);
    expect(factsOf(group)).toEqual(['partially_refunded', false, true]);
  });

  it('a group is not settled while the hold of a failed capture is kept for another try (D4)', () => {
    const group = new Scenario();
    const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
    group.captures(ann);
    group.captureFails(bob);
    expect(factsOf(group)).toEqual(['partially_paid', false, false]);
    group.passes(7 * duration.day).accepts({ type: 'holdExpiryDue', intentId: bob });
    expect(isSettled(group.group)).toBe(false);
    group.voidIs({ status: 'voided' }, bob);
    expect(factsOf(group)).toEqual(['partially_paid', false, true]);
  });
});
