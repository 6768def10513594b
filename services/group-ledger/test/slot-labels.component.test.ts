import { describe, expect, it } from '@jest/globals';
import { failure } from './gateway.ts';
import { reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();

describe('labels of slots (Q71)', () => {
  const labels = ['Starter and wine', null, 'ﾈｺ 🍖'];
  const labelled = { type: 'equally' as const, number_of_slots: 3, slot_labels: labels };
  const listLabels = (slots: readonly { label?: string }[]) => slots.map((slot) => slot.label ?? null);

  it('a new group keeps the label of each slot, and a slot without one has no such field (Q71)', async () => {
    const equal = await ledger.newGroup({ distribution: labelled });
    expect(listLabels(equal.slots)).toEqual(labels);
    expect(equal.slots[1]).not.toHaveProperty('label');
    const found = await ledger.find({ ...scope, group_id: equal.group.id });
    expect(listLabels(found.slots)).toEqual(labels);
    const custom = await ledger.newGroup({
      distribution: {
        type: 'custom',
        slots: [
          { amount_minor: '1000', metadata: { seat: 'B' } },
          { amount_minor: '2000', metadata: {}, label: 'This one is Ben’s' },
        ],
      },
    });
    expect(listLabels(custom.slots)).toEqual([null, 'This one is Ben’s']);
    expect(await ledger.find({ ...scope, group_id: custom.group.id })).toMatchObject({
      slots: custom.slots,
    });
  });

  it('groups of one batch keep their own labels (Q71)', async () => {
    const sizes = [1, 2, 3, 4, 5];
    const made = await Promise.all(
      sizes.map((size) =>
        ledger.newGroup({
          distribution: {
            type: 'equally',
            number_of_slots: size,
            slot_labels: Array.from({ length: size }, (_, at) => (at % 2 === 0 ? `${size}.${at}` : null)),
          },
        }),
      ),
    );
    expect(made.map(({ slots }) => listLabels(slots))).toEqual(
      sizes.map((size) => Array.from({ length: size }, (_, at) => (at % 2 === 0 ? `${size}.${at}` : null))),
    );
  });

  it('a slot keeps its label when it is taken and given back (Q71)', async () => {
    const { group, slots } = await ledger.newGroup({ distribution: labelled });
    const request = reserveRequest(group.id, 'a@example.com', [slots[0]!.id]);
    const { intent, attempt } = await ledger.reserve(request);
    const read = async () => (await ledger.find({ ...scope, group_id: group.id })).slots;
    expect((await read())[0]).toMatchObject({ state: 'assigned', label: 'Starter and wine' });
    const released = { ...scope, group_id: group.id, intent_id: intent.id, attempt_id: attempt!.id, failure };
    await ledger.release(released);
    expect((await read())[0]).toMatchObject({ state: 'unassigned', label: 'Starter and wine' });
  });
});
