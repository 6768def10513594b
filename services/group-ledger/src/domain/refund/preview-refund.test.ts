import { describe, expect, it } from '@jest/globals';
import { Scenario } from '../../../test/scenario.ts';
import { canRefund, isCollecting, previewRefund } from '../index.ts';

/** Ann pays slots 1 and 2, Bob slot 3; all of it is captured. */
function paid() {
  const group = new Scenario({ slots: [1_000n, 2_000n, 3_000n] });
  const [ann, bob] = [group.holds('ann', [1, 2]), group.holds('bob', [3])];
  group.captures(ann);
  group.captures(bob);
  return { group, ann, bob };
}

const listHits = (group: Scenario, slots: readonly number[] | null) => {
  const hit = previewRefund(group.group, slots && slots.map((slot) => group.slotId(slot)));
  if ('code' in hit) throw new Error(hit.code);
  return hit.map(({ intent, amountMinor, otherSlotIds }) => [intent.id, amountMinor, otherSlotIds]);
};

describe('the preview of a refund', () => {
  it('the preview of a refund of everything includes every captured payment', () => {
    const { group, ann, bob } = paid();
    expect(listHits(group, null)).toEqual([
      [ann, 3_000n, []],
      [bob, 3_000n, []],
    ]);
  });

  it('the preview of a refund of a slot covers its whole payment, and names the slots that were not chosen (E4)', () => {
    const { group, ann, bob } = paid();
    expect(listHits(group, [1])).toEqual([[ann, 3_000n, [group.slotId(2)]]]);
    expect(listHits(group, [1, 2, 3])).toEqual([
      [ann, 3_000n, []],
      [bob, 3_000n, []],
    ]);
  });

  it('the preview of a refund leaves out what was refunded before (E10)', () => {
    const { group, ann, bob } = paid();
    group.opensRefund([3]);
    group.refunds(bob);
    expect(listHits(group, [1, 3])).toEqual([[ann, 3_000n, [group.slotId(2)]]]);
    expect(previewRefund(group.group, [group.slotId(3)])).toEqual({
      code: 'nothing_to_refund',
      hint: `refunded already: payment ${bob}`,
    });
  });

  it.each([
    ['a slot twice', [0, 0]],
    ['no slot', []],
  ])('the preview of a refund is refused like the refund itself for %s', (_title, places) => {
    const { group } = paid().group;
    const slotIds = places.map((place) => group.slots[place]?.id ?? '');
    expect(previewRefund(group, slotIds)).toEqual({ code: 'invalid_slot_ids' });
  });

  it('the preview of a refund names the slots that are not of the group', () => {
    const { group } = paid().group;
    expect(previewRefund(group, [group.slots[0]?.id ?? '', 's9'])).toEqual({
      code: 'invalid_slot_ids',
      details: [{ param: 'slot_ids', reason: 'is no slot of this group payment', slot_id: 's9' }],
    });
  });

  it('the preview of a refund names the slots that were not captured', () => {
    const group = new Scenario({ slots: [1n, 1n] });
    const ann = group.holds('ann', [1]);
    group.holds('bob', [2]);
    group.captures(ann);
    expect(previewRefund(group.group, [group.slotId(1), group.slotId(2)])).toEqual({
      code: 'slots_not_captured',
      details: [{ param: 'slot_ids', reason: 'has no captured payment', slot_id: group.slotId(2) }],
    });
  });

  it('the preview of a refund lists what no gateway will refund, with the refund’s own reasons (E7, E9)', () => {
    const group = new Scenario({ slots: [1n, 1n] });
    const ann = group.reserves('ann', [1], 'gateway_c');
    group.authorises(ann);
    const bob = group.holds('bob', [2]);
    group.captures(ann);
    group.captures(bob);
    group.accepts({ type: 'recordDispute', intentId: bob, disputed: true });
    const hit = previewRefund(group.group, null);
    if ('code' in hit) throw new Error(hit.code);
    expect(hit.map(({ failure }) => failure?.message)).toEqual([
      "refunds through the API are unavailable for gateway_c: refund it in the gateway's own dashboard",
      'payment is disputed',
    ]);
  });
});

it('a group can be refunded where a captured payment is in no dispute and its gateway takes refunds (E9)', () => {
  const { group, ann } = paid();
  expect(canRefund(group.group)).toBe(true);
  const only = group.group.intents.filter(({ id }) => id === ann);
  expect(
    canRefund({ ...group.group, intents: only.map((each) => ({ ...each, pspCode: 'gateway_c' })) }),
  ).toBe(false);
  expect(canRefund({ ...group.group, intents: only.map((each) => ({ ...each, disputed: true })) })).toBe(
    false,
  );
  expect(canRefund(new Scenario().group)).toBe(false);
});

it('a group is cancelled only while nobody was charged (Q2)', () => {
  const group = new Scenario();
  expect(isCollecting(group.group)).toBe(true);
  const [ann, bob] = [group.holds('ann', [1]), group.holds('bob', [2])];
  expect(group.group.state).toBe('capturing');
  expect(isCollecting(group.group)).toBe(false);
  group.captures(ann);
  group.captures(bob);
  expect(isCollecting(group.group)).toBe(false);
  expect(group.does({ type: 'cancel' })).toMatchObject({ kind: 'rejected', code: 'group_not_payable' });
});
