import { describe, expect, it } from '@jest/globals';
import { duration, Scenario } from '../../../test/scenario.ts';
import { cutName, findShownName } from './shown-name.ts';

/** The name at each slot, as whoever has the group's link sees it. */
const shown = ({ group }: Scenario) => group.slots.map((slot) => findShownName(group, slot));
/** Holds slots for a payer who shows a name; returns the intent's id. */
const holdsAs = (
  group: Scenario,
  name: string | null,
  slots: readonly number[],
  customer = 'ann',
): string => {
  const intent = group.reservesAs(name, slots, customer);
  group.begins(intent);
  group.authorises(intent);
  return intent;
};

describe('the name that the others see', () => {
  it('a name is seen from the hold on, at every slot of the payment, and before it nobody sees it (Q98)', () => {
    const group = new Scenario({ slots: [1_000n, 1_000n, 1_000n] });
    const ann = group.reservesAs('Ana', [1, 3]);
    group.begins(ann);
    expect(shown(group)).toEqual([null, null, null]);
    group.authorises(ann);
    expect(shown(group)).toEqual(['Ana', null, 'Ana']);
  });

  it('a payer who did not agree stays without a name beside one who did (Q97)', () => {
    const group = new Scenario();
    holdsAs(group, 'Ana', [1]);
    group.holds('bob', [2]);
    expect(shown(group)).toEqual(['Ana', null]);
  });

  it('a name stays while what was held is captured, and goes with the refund (Q98)', () => {
    const group = new Scenario();
    const ann = holdsAs(group, 'Ana', [1]);
    const bob = holdsAs(group, 'Bob', [2], 'bob');
    group.captures(ann);
    group.captures(bob);
    expect(shown(group)).toEqual(['Ana', 'Bob']);
    group.opensRefund([1]);
    expect(shown(group)).toEqual(['Ana', 'Bob']);
    group.refunds(ann);
    expect(shown(group)).toEqual([null, 'Bob']);
  });

  it.each([
    ['is cancelled', (group: Scenario) => void group.does({ type: 'cancel' })],
    ['expires', (group: Scenario) => void group.passes(8 * duration.day).does({ type: 'expire' })],
  ])('a name goes with the hold when the group %s (Q98)', (_what, ends) => {
    const group = new Scenario();
    holdsAs(group, 'Ana', [1]);
    ends(group);
    expect(shown(group)).toEqual([null, null]);
  });

  it('a slot that somebody else takes after a release has no name of before (Q98)', () => {
    const group = new Scenario({ expiresInMs: 7 * duration.day });
    const ann = holdsAs(group, 'Ana', [1]);
    group.passes(7 * duration.day - 2 * duration.hour).does({ type: 'holdExpiryDue', intentId: ann });
    expect(shown(group)).toEqual([null, null]);
    group.holds('bob', [1]);
    expect(shown(group)).toEqual([null, null]);
  });
});

describe('a payer who changes his mind', () => {
  it('a name that is hidden is seen no more, changes no money and tells no merchant (Q99)', () => {
    const group = new Scenario();
    const ann = holdsAs(group, 'Ana', [1, 2]);
    const before = { ...group.group, version: 0, intents: [] };
    const [events, effects] = [group.events.length, group.effects.length];
    const { version } = group.group;
    expect(group.does({ type: 'hideName', intentId: ann })).toMatchObject({ kind: 'accepted' });
    expect(shown(group)).toEqual([null, null]);
    expect({ ...group.group, version: 0, intents: [] }).toEqual(before);
    expect([group.events.length, group.effects.length, group.group.version]).toEqual([
      events,
      effects,
      version + 1,
    ]);
  });

  it.each([
    ['that was hidden before', (group: Scenario) => holdsAs(group, null, [1])],
    ['of a payment that does not exist', () => 'nobody'],
  ])('hiding a name %s changes nothing (Q99)', (_what, begin) => {
    const group = new Scenario();
    const intentId = begin(group);
    expect(group.does({ type: 'hideName', intentId })).toMatchObject({ kind: 'ignored' });
  });

  it.each([
    ['takes the consent back', 'Ana', null],
    ['agrees', null, 'Ana'],
    ['writes another name', 'Ana', 'Ana Maria'],
  ])('a payer who %s before the hold keeps the payment, which follows (Q97)', (_what, first, second) => {
    const group = new Scenario();
    const ann = group.reservesAs(first, [1]);
    expect(group.reservesAs(second, [1])).toBe(ann);
    group.begins(ann);
    group.authorises(ann);
    expect(shown(group)).toEqual([second, null]);
  });

  it('a payer who asks for the same again changes nothing (A9)', () => {
    const group = new Scenario();
    group.reservesAs('Ana', [1]);
    const { version } = group.group;
    group.reservesAs('Ana', [1]);
    expect(group.group.version).toBe(version);
  });
});

describe('a long name', () => {
  it.each([
    ['Ana', 'Ana'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['a'.repeat(41), `${'a'.repeat(39)}…`],
    [`${'a'.repeat(38)} bcd`, `${'a'.repeat(38)}…`],
    // A family is seven code points and eleven units, and is not cut into its members.
    [`${'a'.repeat(30)}👨‍👩‍👧‍👦${'b'.repeat(9)}`, `${'a'.repeat(30)}…`],
    [`x${'\u0301'.repeat(99)}`, '…'],
  ])('the name %p is seen by the others as %p (Q97)', (name, seen) => {
    expect(cutName(name)).toBe(seen);
    expect(seen.length).toBeLessThanOrEqual(40);
  });
});
