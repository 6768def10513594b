import { describe, expect, it } from '@jest/globals';
import { Scenario } from '../../../test/scenario.ts';
import { Change } from './change.ts';

describe('a patch of a row', () => {
  it('keeps what an earlier patch wrote, although the caller holds the row from before it', () => {
    const { group, context } = new Scenario();
    const change = new Change(group, context);
    const [stale] = group.slots;
    if (!stale) throw new Error('the group has no slot');
    change.patch('slots', stale, { assignedCustomerId: 'ann' });
    const current = change.patch('slots', stale, { reservedUntilMs: 1 });
    expect(current).toEqual({ ...stale, assignedCustomerId: 'ann', reservedUntilMs: 1 });
    expect(change.group.slots[0]).toBe(current);
  });

  it('keeps what an earlier patch wrote to an attempt of the same intent', () => {
    const scenario = new Scenario();
    const intentId = scenario.reserves('ann', [1]);
    const attemptId = scenario.begins(intentId);
    const stale = scenario.intent(intentId);
    const change = new Change(scenario.group, scenario.context);
    change.patchIntent(stale, { declines: 1 });
    change.patchAttempt(stale, { id: attemptId }, { pspReference: 'psp' });
    const current = change.moveAttempt(stale, { id: attemptId }, 'authorise', { amountMinor: 1_000n });
    expect(current.declines).toBe(1);
    expect(current.attempts).toMatchObject([
      { state: 'authorised', pspReference: 'psp', amountMinor: 1_000n },
    ]);
  });

  it('moves a row from the state it is in by now, never from the one the caller saw', () => {
    const { group, context } = new Scenario();
    const change = new Change(group, context);
    const [stale] = group.slots;
    if (!stale) throw new Error('the group has no slot');
    const owner = { assignedCustomerId: 'ann', intentId: 'intent' };
    change.moveSlot(stale, 'reserve', owner);
    expect(() => change.moveSlot(stale, 'reserve', owner)).toThrow('assigned');
  });

  it('refuses a row that the group does not have', () => {
    const { group, context } = new Scenario();
    const change = new Change(group, context);
    expect(() => change.patch('captures', { id: 'nobody' }, { seq: 2 })).toThrow('no row nobody');
  });
});
