import { describe, expect, it } from '@jest/globals';
import { addPostings } from '../src/app/books/add-postings.ts';
import { findBalance } from '../src/app/books/money.ts';
import { describeGroup } from '../src/app/groups/describe-group.ts';
import { sumGroups } from '../src/app/groups/look-up-groups.ts';
import { listGroups } from '../src/app/groups/find-groups.ts';
import { listPayments } from '../src/app/payments/list-payments.ts';
import { previewRefund } from '../src/app/refunds/preview-refund.ts';
import { answerAll, answerTo, authorised, listOrders } from './gateway.ts';
import { heldGroup, tippedGroup } from './groups.ts';
import { connection, digest, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const find = (group_id: string) => ledger.find({ ...scope, group_id });
const payments = async (group_id: string) =>
  (await listPayments(ledger.db)({ ...scope, group_id, limit: 100 })).payments;

describe('a group that allows tips', () => {
  it('the most that a payment may add is shown by reads and lists as it was set, and by groups of one batch each its own (Q91)', async () => {
    const limits = ['200', undefined, '1'];
    const made = await Promise.all(
      limits.map((max_tip_minor) => ledger.newGroup(max_tip_minor === undefined ? {} : { max_tip_minor })),
    );
    expect(made.map(({ group }) => group.max_tip_minor)).toEqual(limits);
    const { groups } = await listGroups(ledger.db)({ ...scope, limit: 100, offset: 0 });
    for (const { group } of made) {
      expect((await find(group.id)).group).toEqual(group);
      expect(groups.find(({ id }) => id === group.id)).toEqual(group);
    }
    expect(made[1]?.group).not.toHaveProperty('max_tip_minor');
  });

  it.each(['0', '100000000'])('a limit of %s minor units is refused (Q91)', async (max_tip_minor) => {
    await expect(ledger.newGroup({ max_tip_minor })).rejects.toMatchObject({
      code: 'validation_error',
      data: { param: 'tips.max_amount' },
    });
  });

  it.each([
    ['2.01', 'must be above 0 and at most 2.00 EUR'],
    ['0.001', 'at most 2 decimals for EUR'],
    ['0', 'must be above 0'],
    ['-1', 'must be above 0'],
    ['1e99', 'must be'],
    ['two', 'must be a plain number'],
  ])('a tip of %s is refused where 2.00 is allowed (Q91)', async (tip, reason) => {
    const { group } = await ledger.newGroup({ max_tip_minor: '200' });
    const refused = ledger.reserve(reserveRequest(group.id, 'ann@example.com', undefined, { tip }));
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringContaining(`Validation error: tip: ${reason}`),
    });
  });

  it('a tip is read in the currency of the group (G1, Q91)', async () => {
    const { group } = await ledger.newGroup({ currency: 'JPY', max_tip_minor: '200' });
    const request = reserveRequest(group.id, 'ann@example.com', undefined, { tip: '200' });
    expect((await ledger.reserve(request)).intent).toMatchObject({ amount_minor: '3200', tip_minor: '200' });
  });
});

describe('a payment with a tip', () => {
  it('a tip is held and captured with its slots, and views name it where there is one (Q91)', async () => {
    const { group, slots } = await ledger.newGroup({ max_tip_minor: '200' });
    const pay = (name: string, at: number, o: { tip?: string } = {}) =>
      ledger.reserve(reserveRequest(group.id, `${name}@example.com`, [slots[at]!.id], o));
    const ann = await pay('ann', 0, { tip: '2.00' });
    const others = [await pay('bob', 1), await pay('eve', 2)];
    expect(ann.intent).toMatchObject({ amount_minor: '1200', tip_minor: '200' });
    expect(others[0]?.intent).not.toHaveProperty('tip_minor');
    for (const each of [ann, ...others]) await ledger.record(authorised(each));
    const orders = await listOrders(ledger, group.id, 'capture');
    expect(orders.map(({ amount_minor }) => amount_minor).toSorted()).toEqual(['1000', '1000', '1200']);
    await answerAll(ledger, group.id, 'capture', 'captured');
    expect(await ledger.readState(group.id)).toBe('paid');
    const listed = await payments(group.id);
    expect(listed.map(({ tip_minor }) => tip_minor)).toEqual([undefined, undefined, '200']);
    const described = await describeGroup(ledger.db)({ ...scope, group_id: group.id });
    expect(described.payments.map(({ tip_minor }) => tip_minor)).toEqual(['200', undefined, undefined]);
    expect(described.money.captured_minor).toBe('3200');
    const events = await ledger.listMessages(group.id, 'evt.ledger.payment\\_intent.captured.%');
    const told = events.map(({ data }) => data as { amount: number; tip?: number });
    expect(told.filter(({ tip }) => tip !== undefined)).toMatchObject([{ amount: 12, tip: 2 }]);
    expect(told.filter(({ tip }) => tip === undefined)).toHaveLength(2);
  });

  it('a repeated command gets its payment with its tip, and the same slots with another tip a new one (Q12, Q92)', async () => {
    const { group, slots } = await ledger.newGroup({ max_tip_minor: '200' });
    const request = reserveRequest(group.id, 'ann@example.com', [slots[0]!.id], { tip: '2' });
    const first = await ledger.reserve(request);
    expect(await ledger.reserve(request)).toMatchObject({ replayed: true, intent: first.intent });
    const again = reserveRequest(group.id, 'ann@example.com', [slots[0]!.id], { tip: '2.00' });
    expect((await ledger.reserve(again)).intent.id).toBe(first.intent.id);
    const other = reserveRequest(group.id, 'ann@example.com', [slots[0]!.id], { tip: '1' });
    const second = await ledger.reserve(other);
    expect(second.intent.id).not.toBe(first.intent.id);
    expect(second.intent).toMatchObject({ amount_minor: '1100', tip_minor: '100' });
    expect(await listOrders(ledger, group.id, 'void')).toHaveLength(1);
    await expect(ledger.reserve(request)).rejects.toMatchObject({ code: 'no_payable_slots' });
  });

  it('a refund by slot gives the payment back with its tip (Q94)', async () => {
    const id = await tippedGroup(ledger);
    const [slot] = (await find(id)).slots;
    const preview = await previewRefund(ledger.db)({ ...scope, group_id: id, slot_ids: [slot!.id] });
    expect(preview.payments).toMatchObject([{ amount_minor: '1200', tip_minor: '200' }]);
    const names = { command_id: digest(id), fingerprint: digest(id), source: 'api' as const };
    const refund = await ledger.refund({ ...scope, ...names, group_id: id, slot_ids: [slot!.id] });
    expect(refund.parts).toMatchObject([{ amount_minor: '1200' }]);
    await answerAll(ledger, id, 'refund', 'refunded');
    const { sums } = await sumGroups(ledger.db)({ ...scope, group_ids: [id] });
    expect(sums).toMatchObject([{ captured_minor: '2400', refunded_minor: '1200', held_minor: '0' }]);
  });
});

it.each(['postings', 'sums of postings'])(
  'the balance read from %s has tips in its net amount, and says how much of it is tips (Q93)',
  async (from) => {
    const owner = { merchant_id: `m-${from.length}`, mode: 'test' as const };
    await ledger.note(connection(owner));
    const { group, slots } = await ledger.newGroup({ ...owner, max_tip_minor: '500' });
    for (const [at, slot] of slots.entries()) {
      const o = { ...owner, ...(at > 0 && { tip: `${at}.50` }) };
      const reserved = await ledger.reserve(reserveRequest(group.id, `p${at}@example.com`, [slot.id], o));
      await ledger.record(authorised(reserved, owner));
    }
    for (const order of await listOrders(ledger, group.id, 'capture'))
      await ledger.record(answerTo(order, 'gateway_a', 'captured', owner));
    if (from !== 'postings') await addPostings(ledger.db, 0).runOnce(AbortSignal.timeout(10_000));
    const { balances } = await findBalance(ledger.db)(owner);
    expect(balances).toMatchObject([{ on_hold_minor: '0', net_minor: '3400', tips_minor: '400' }]);
  },
);

it('a group without tips keeps an account of tips that is empty (Q93)', async () => {
  const { id } = await heldGroup(ledger);
  await answerAll(ledger, id, 'capture', 'captured');
  expect(await ledger.count(`postings where group_id = $1 and account = 'merchant:tips'`, [id])).toBe(0);
});
