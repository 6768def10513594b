import { describe, expect, it } from '@jest/globals';
import { findGroupByOrder, sumGroups } from '../src/app/groups/look-up-groups.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { scope, useLedger } from './harness.ts';
import { openBooks } from './money-books.ts';

const ledger = useLedger();
const fetchSums = async (ids: string[], o: { merchant_id?: string; mode?: 'live' } = {}) => {
  const { sums } = await sumGroups(ledger.db)({ ...scope, ...o, group_ids: ids });
  return Object.fromEntries(
    sums.map((sum) => [sum.group_id, [sum.held_minor, sum.captured_minor, sum.refunded_minor]]),
  );
};

describe('the money of several groups', () => {
  it('the money of several groups is the sum of their postings, and nothing for one that is not paid', async () => {
    const none = (await ledger.newGroup()).group.id;
    const part = (await heldGroup(ledger, { except: 1 })).id;
    const paid = (await paidGroup(ledger)).id;
    expect(await fetchSums([none, part, paid])).toEqual({
      [none]: ['0', '0', '0'],
      [part]: ['2000', '0', '0'],
      [paid]: ['0', '3000', '0'],
    });
  });

  it('the names of several groups come with their money, as they are now', async () => {
    const { group } = await ledger.newGroup();
    const { sums } = await sumGroups(ledger.db)({ ...scope, group_ids: [group.id] });
    expect(sums).toMatchObject([{ group_id: group.id, group_name: group.group_name }]);
  });

  it('a group with a payment in dispute is marked, and in the list of those, until the dispute ends (Q112, S9)', async () => {
    const [calm, disputed] = [await paidGroup(ledger), await paidGroup(ledger)];
    const findMarked = async () => {
      const { sums } = await sumGroups(ledger.db)({ ...scope, group_ids: [calm.id, disputed.id] });
      return sums.filter(({ is_disputed }) => is_disputed).map(({ group_id }) => group_id);
    };
    const report = (status: 'disputed' | 'undisputed') =>
      openBooks(ledger).report(disputed.payers[0], { operation: 'dispute', status });
    const list = async (o: Partial<Parameters<typeof ledger.list>[0]> = {}) => {
      const page = await ledger.list({ ...scope, limit: 100, offset: 0, disputed: true, ...o });
      return { ids: page.groups.map(({ id }) => id), total: page.total };
    };
    expect(await findMarked()).toEqual([]);
    await report('disputed');
    expect(await findMarked()).toEqual([disputed.id]);
    expect(await list()).toEqual({ ids: [disputed.id], total: 1 });
    expect(await list({ state: 'paid' })).toEqual({ ids: [disputed.id], total: 1 });
    for (const other of [{ state: 'open' }, { mode: 'live' }, { merchant_id: 'm-other' }] as const)
      expect(await list(other)).toEqual({ ids: [], total: 0 });
    await report('undisputed');
    expect(await findMarked()).toEqual([]);
    expect(await list()).toEqual({ ids: [], total: 0 });
  });

  it('the money of several groups is returned for the merchant’s own groups of that mode only (S9)', async () => {
    const { id } = await heldGroup(ledger);
    expect(await fetchSums([id], { mode: 'live' })).toEqual({});
    expect(await fetchSums([id], { merchant_id: 'm-other' })).toEqual({});
  });
});

describe('a group is found by its order number', () => {
  const find = findGroupByOrder;

  it('a group is found by its order number by its merchant, in its own mode (S9)', async () => {
    const { group } = await ledger.newGroup();
    const asked = { ...scope, merchant_order_id: group.merchant_order_id };
    expect((await find(ledger.db)(asked)).group?.id).toBe(group.id);
    expect(await find(ledger.db)({ ...asked, mode: 'live' })).toEqual({ group: null });
    expect(await find(ledger.db)({ ...asked, merchant_id: 'm-other' })).toEqual({ group: null });
  });

  it.each(['nothing', "' or true --"])(
    'a group is not found by an order number that no group has: %j',
    async (number) => {
      expect(await find(ledger.db)({ ...scope, merchant_order_id: number })).toEqual({ group: null });
    },
  );

  it('an order number with characters that no text has is a mistake of the request', async () => {
    await expect(find(ledger.db)({ ...scope, merchant_order_id: '\u0000' })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});
