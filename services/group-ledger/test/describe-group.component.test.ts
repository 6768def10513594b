import { describe, expect, it } from '@jest/globals';
import { countOpenGroups, describeGroup, sumMoney } from '../src/app/groups/describe-group.ts';
import type { Outcome } from '@gp/contracts';
import { authorised, failure } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { openBooks } from './money-books.ts';
import { connection, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const others = [
  { ...scope, merchant_id: 'm2' },
  { ...scope, mode: 'live' as const },
];

describe('a group as its merchant’s people see it', () => {
  it('a described group has every payment with its payer, the transitions in order, and the state of its money', async () => {
    const { id } = await paidGroup(ledger);
    const described = await describeGroup(ledger.db)({ ...scope, group_id: id });
    expect(described.group).toMatchObject({ id, state: 'paid' });
    expect(described.money).toEqual({ held_minor: '0', captured_minor: '3000', refunded_minor: '0' });
    expect(described.payments).toHaveLength(3);
    for (const { state, payer, slot_ids } of described.payments) {
      expect({ state, email: payer.email }).toEqual({
        state: 'captured',
        email: expect.stringContaining('@'),
      });
      expect(described.slots.map((slot) => slot.id)).toEqual(expect.arrayContaining(slot_ids));
    }
    expect(described.slots.map(({ intent_id }) => intent_id).toSorted()).toEqual(
      described.payments.map(({ id: intent }) => intent).toSorted(),
    );
    const ofGroup = described.transitions.filter(({ entity }) => entity === 'group');
    expect(ofGroup[0]).toMatchObject({
      entity_id: id,
      state_from: null,
      state_to: 'open',
      actor: 'merchant',
    });
    const begun = described.transitions.filter(({ state_from }) => state_from === null);
    expect(begun.map(({ entity_id }) => entity_id)).toEqual([id, ...described.payments.map((one) => one.id)]);
    expect(ofGroup.at(-1)).toMatchObject({ entity_id: id, state_to: 'paid' });
    expect(described.transitions.map(({ at }) => at)).toEqual(
      described.transitions.map(({ at }) => at).toSorted(),
    );
    expect(described.is_cut).toBe(false);
    expect(described).toMatchObject({ can_cancel: false, can_refund: true });
  });

  it('each decline of a described payment has its own reason and the gateway’s reference, a hold has none (B8)', async () => {
    const merchant = { merchant_id: 'm-declined' };
    await ledger.note(connection({ ...merchant, psp_code: 'gateway_b' }));
    const { group, slots } = await ledger.newGroup(merchant);
    const first = slots.slice(0, 1).map(({ id }) => id);
    const { intent } = await ledger.reserve(reserveRequest(group.id, 'ana@example.com', first, merchant));
    const answer = async (o: Partial<Outcome>) => {
      const begun = await ledger.begin({ ...scope, ...merchant, intent_id: intent.id });
      await ledger.record(authorised(begun, { ...merchant, ...o }));
    };
    const none = { status: 'declined', amount_minor: null, capture_before: null } as const;
    const funds = { ...failure, message: 'the card has insufficient funds' };
    const expired = { ...failure, message: 'the card has expired' };
    await answer({ ...none, failure: funds, psp_reference: 'pay_1' });
    await answer({ ...none, failure: expired, psp_reference: 'pay_2' });
    await answer({ psp_reference: 'pay_3' });
    const { transitions } = await describeGroup(ledger.db)({ ...scope, ...merchant, group_id: group.id });
    const told = transitions
      .filter(({ entity_id, state_to }) => entity_id === intent.id && state_to !== 'processing')
      .map(({ state_to, failure: why, psp_reference }) => [state_to, why, psp_reference]);
    expect(told).toEqual([
      ['created', undefined, undefined],
      ['failed', funds, 'pay_1'],
      ['failed', expired, 'pay_2'],
      ['preauthorised', null, 'pay_3'],
    ]);
    const ofGroup = transitions.filter(({ entity, state_from }) => entity === 'group' && state_from !== null);
    expect(ofGroup.map(({ psp_reference }) => psp_reference)).toEqual([null]);
  });

  it('the begin and the end of a dispute are steps of its payment (E11, Q103)', async () => {
    const { id, payers } = await paidGroup(ledger);
    const [payer] = payers;
    for (const status of ['disputed', 'undisputed'] as const)
      await openBooks(ledger).report(payer, { operation: 'dispute', status });
    const { transitions } = await describeGroup(ledger.db)({ ...scope, group_id: id });
    const steps = transitions.filter(({ entity_id }) => entity_id === payer?.intent.id);
    expect(steps.slice(-2)).toMatchObject([
      { entity: 'intent', state_from: 'captured', state_to: 'disputed', actor: 'gateway_a' },
      { entity: 'intent', state_from: 'disputed', state_to: 'dispute_closed', actor: 'gateway_a' },
    ]);
  });

  it('a described group that collects can be cancelled (Q2), and has nothing to refund (E1)', async () => {
    const { group } = await ledger.newGroup();
    const described = await describeGroup(ledger.db)({ ...scope, group_id: group.id });
    expect(described).toMatchObject({ can_cancel: true, can_refund: false });
  });

  it('a group of another merchant or of the other mode is a 404 (S9)', async () => {
    const { id } = await heldGroup(ledger);
    for (const other of others)
      await expect(describeGroup(ledger.db)({ ...other, group_id: id })).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});

describe('money over time', () => {
  it('money over time is what the postings of the day sum up to, of one merchant and one mode', async () => {
    const before = await sumMoney(ledger.db)({ ...scope, days: 7 });
    await paidGroup(ledger);
    const after = await sumMoney(ledger.db)({ ...scope, days: 7 });
    const days = after.sums.filter(({ currency }) => currency === 'EUR');
    // Two of them when midnight passes meanwhile.
    const today = [before.now, after.now].map((now) => now.slice(0, 10));
    expect(days.filter(({ day }) => !today.includes(day))).toEqual([]);
    type Column = 'held_minor' | 'captured_minor' | 'refunded_minor';
    const total = ({ sums }: typeof after, name: Column) =>
      sums.reduce((sum, each) => sum + (each.currency === 'EUR' ? BigInt(each[name]) : 0n), 0n);
    const moved = (name: Column) => total(after, name) - total(before, name);
    expect([moved('held_minor'), moved('captured_minor'), moved('refunded_minor')]).toEqual([
      3000n,
      3000n,
      0n,
    ]);
    const paid = (sums: typeof after) => sums.groups.find(({ state }) => state === 'paid')?.count ?? 0;
    expect(paid(after) - paid(before)).toBe(1);
    for (const other of others)
      expect(await sumMoney(ledger.db)({ ...other, days: 7 })).toMatchObject({ sums: [], groups: [] });
  });
});

it('a gateway’s open groups are those with money on its way there', async () => {
  const count = async () =>
    (await countOpenGroups(ledger.db)(scope)).gateways.find(({ psp_code }) => psp_code === 'gateway_a')
      ?.open_groups ?? 0;
  const before = await count();
  await paidGroup(ledger);
  expect(await count()).toBe(before);
  await heldGroup(ledger, { except: 1 });
  expect(await count()).toBe(before + 1);
  for (const other of others) expect((await countOpenGroups(ledger.db)(other)).gateways).toEqual([]);
});
