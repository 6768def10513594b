import { describe, expect, it } from '@jest/globals';
import { slotTextFaults } from './slot-texts.ts';

const equally = { type: 'equally', number_of_slots: 2 } as const;

describe('what a create says about its slots', () => {
  it('a create with labels and metadata for every slot is valid, and so is one without (Q22, Q71)', () => {
    const slot_metadata = [{ metadata: { seat: 1 } }, { metadata: {} }];
    expect(slotTextFaults(equally)).toEqual([]);
    expect(slotTextFaults({ ...equally, slot_metadata, slot_labels: ['Ben', null] })).toEqual([]);
    expect(slotTextFaults({ type: 'custom', slots: [{ amount: 1, label: 'Ben' }, { amount: 2 }] })).toEqual(
      [],
    );
  });

  it('labels and metadata whose number differs from the number of slots are one fault each (Q22, Q71)', () => {
    const reason = 'must have 2 items, one per slot';
    expect(slotTextFaults({ ...equally, slot_metadata: [], slot_labels: ['Ben'] })).toEqual([
      { param: 'distribution.slot_metadata', reason },
      { param: 'distribution.slot_labels', reason },
    ]);
    expect(slotTextFaults({ ...equally, slot_labels: [null, 'Ben', 'Ana'] })).toEqual([
      { param: 'distribution.slot_labels', reason },
    ]);
  });

  it('metadata of a slot that does not fit names the slot (Q22)', () => {
    const metadata = { note: 'x'.repeat(17_000) };
    const faults = [
      ...slotTextFaults({ ...equally, slot_metadata: [{ metadata: {} }, { metadata }] }),
      ...slotTextFaults({ type: 'custom', slots: [{ amount: 1 }, { amount: 2, metadata }] }),
    ];
    expect(faults.map(({ param }) => param)).toEqual([
      'distribution.slot_metadata[1].metadata',
      'distribution.slots[1].metadata',
    ]);
  });
});
