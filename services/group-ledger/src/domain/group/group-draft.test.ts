import { describe, expect, it } from '@jest/globals';
import { Scenario } from '../../../test/scenario.ts';
import { GroupDraft } from './group-draft.ts';

describe('a patch of a row', () => {
  it('a patch of a row keeps what an earlier patch wrote, although the caller holds the row from before it', () => {
    const { group, context } = new Scenario();
    const draft = new GroupDraft(group, context);
    const [stale] = group.slots;
    if (!stale) throw new Error('the group has no slot');
    draft.patch('slots', stale, { assignedCustomerId: 'ann' });
    const current = draft.patch('slots', stale, { reservedUntilMs: 1 });
    expect(current).toEqual({ ...stale, assignedCustomerId: 'ann', reservedUntilMs: 1 });
    expect(draft.group.slots[0]).toBe(current);
  });

  it('a patch of a row keeps what an earlier patch wrote to an authorization of the same intent', () => {
    const scenario = new Scenario();
    const intentId = scenario.reserves('ann', [1]);
    const authorizationId = scenario.begins(intentId);
    const stale = scenario.intent(intentId);
    const draft = new GroupDraft(scenario.group, scenario.context);
    draft.patchIntent(stale, { declines: 1 });
    draft.patchAuthorization(stale, { id: authorizationId }, { pspReference: 'psp' });
    const current = draft.moveAuthorization(stale, { id: authorizationId }, 'authorise', {
      amountMinor: 1_000n,
    });
    expect(current.declines).toBe(1);
    expect(current.authorizations).toMatchObject([
      { state: 'authorised', pspReference: 'psp', amountMinor: 1_000n },
    ]);
  });

  it('a patch of a row moves it from its current state, never from the one the caller saw', () => {
    const { group, context } = new Scenario();
    const draft = new GroupDraft(group, context);
    const [stale] = group.slots;
    if (!stale) throw new Error('the group has no slot');
    const owner = { assignedCustomerId: 'ann', intentId: 'intent' };
    draft.moveSlot(stale, 'reserve', owner);
    expect(() => draft.moveSlot(stale, 'reserve', owner)).toThrow('assigned');
  });

  it('a patch of a row refuses a row that the group does not have', () => {
    const { group, context } = new Scenario();
    const draft = new GroupDraft(group, context);
    expect(() => draft.patch('captures', { id: 'nobody' }, { seq: 2 })).toThrow('no row nobody');
  });
});
