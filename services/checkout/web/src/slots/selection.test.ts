import { firstSelection, settleSelection } from './selection.ts';
import type { Slot } from './slot.ts';

const slot = (number: number, amount: bigint, state: Slot['state'] = 'unassigned'): Slot => ({
  id: `s${number}`,
  number,
  amount,
  state,
  heldUntil: null,
});

describe('a choice of shares', () => {
  it('a choice of shares stays as it is while all of it is free', () => {
    const slots = [slot(1, 10n), slot(2, 10n), slot(3, 10n)];
    expect(settleSelection(['s1', 's3'], slots)).toEqual({ selected: ['s1', 's3'], losses: [] });
  });

  it('a choice of shares gets an equal free share for one that another payer took (A1)', () => {
    const slots = [slot(1, 10n, 'assigned'), slot(2, 20n), slot(3, 10n)];
    const { selected, losses } = settleSelection(['s1'], slots);
    expect(selected).toEqual(['s3']);
    expect(losses.map(({ lost, instead }) => [lost.id, instead?.id])).toEqual([['s1', 's3']]);
  });

  it('a choice of shares never offers the same share twice, nor one of another amount', () => {
    const slots = [slot(1, 10n, 'preauthorised'), slot(2, 10n, 'assigned'), slot(3, 10n), slot(4, 11n)];
    const { selected, losses } = settleSelection(['s1', 's2'], slots);
    expect(selected).toEqual(['s3']);
    expect(losses.map(({ instead }) => instead?.id)).toEqual(['s3', undefined]);
  });

  it('a share that was taken is not replaced by one with another label in the payer’s choice (Q71)', () => {
    const taken = { ...slot(1, 10n, 'assigned'), label: 'Fish' };
    const others = [{ ...slot(2, 10n), label: 'Steak' }, slot(3, 10n), { ...slot(4, 10n), label: 'Fish' }];
    expect(settleSelection(['s1'], [taken, ...others]).selected).toEqual(['s4']);
    expect(settleSelection(['s1'], [taken, ...others.slice(0, 2)]).selected).toEqual([]);
  });

  it('a choice of shares does not offer a share the payer has chosen already', () => {
    const slots = [slot(1, 10n, 'assigned'), slot(2, 10n)];
    expect(settleSelection(['s1', 's2'], slots).selected).toEqual(['s2']);
  });

  it("a choice of shares does not change the payer's own reservation", () => {
    const slots = [slot(1, 10n, 'assigned'), slot(2, 10n)];
    expect(settleSelection(['s1'], slots, new Set(['s1']))).toEqual({ selected: ['s1'], losses: [] });
  });

  it('a choice of shares drops what is not of this group', () => {
    expect(settleSelection(['other'], [slot(1, 10n)])).toEqual({ selected: [], losses: [] });
  });

  it('a choice of shares is made for a newcomer only when there is nothing to choose', () => {
    expect(firstSelection([slot(1, 10n, 'captured'), slot(2, 10n)])).toEqual(['s2']);
    expect(firstSelection([slot(1, 10n), slot(2, 10n)])).toEqual([]);
  });

  it('the share that the link is for is chosen first where it is free, and no other in its place (Q72)', () => {
    const slots = [slot(1, 10n), slot(2, 10n), slot(3, 10n, 'assigned')];
    expect(firstSelection(slots, 's2')).toEqual(['s2']);
    expect(firstSelection(slots, 's3')).toEqual([]);
    expect(firstSelection(slots, 's9')).toEqual([]);
  });
});
