import { describe, expect, it } from '@jest/globals';
import { createOperator } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { describeGroup } from '../src/app/groups/describe-group.ts';
import { findOrganisedGroup } from '../src/app/groups/find-groups.ts';
import { forgetCustomer } from '../src/app/operator/forget-customer.ts';
import { inspectGroup } from '../src/app/operator/inspect-group.ts';
import { listPayments } from '../src/app/payments/list-payments.ts';
import { answerAll, authorised, listOrders } from './gateway.ts';
import { digest, openReplica, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const { person: operator } = createOperator('ann', 'act');

type Slots = readonly { readonly shown_name?: string }[];
const names = (slots: Slots) => slots.map(({ shown_name }) => shown_name);
/** The name at each slot, as whoever has the group's link sees it. */
const shown = async (group_id: string) => names((await ledger.find({ ...scope, group_id })).slots);

/** A new group of three slots, and what pays one of them under a name. */
async function openGroup() {
  const { group, slots } = await ledger.newGroup({ organiser: { may: [], latest_expires_at: null } });
  const pay = (at: number, o: Parameters<typeof reserveRequest>[3] = {}, email = `p${at}@example.com`) =>
    ledger.reserve(reserveRequest(group.id, email, [slots[at]!.id], o));
  const showing = { customer_name: 'Ana', show_name: true };
  return { id: group.id, group, slots, pay, showing };
}

describe('a name that its payer shows', () => {
  it('whoever reads a group by id, link or organiser’s link sees it from the hold on, and nobody sees one without consent (Q97, Q98)', async () => {
    const { id, group, pay, showing } = await openGroup();
    const ana = await pay(0, showing);
    const bob = await pay(1, { customer_name: 'Bob' });
    expect(await shown(id)).toEqual([undefined, undefined, undefined]);
    for (const each of [ana, bob]) await ledger.record(authorised(each));
    const seen = ['Ana', undefined, undefined];
    expect(await shown(id)).toEqual(seen);
    expect(names((await ledger.findByPageToken({ page_token: group.page_token })).slots)).toEqual(seen);
    const token = group.organiser?.token ?? '';
    expect(names((await findOrganisedGroup(ledger.db)({ token })).slots)).toEqual(seen);
    expect((await ledger.find({ ...scope, group_id: id })).slots[1]).not.toHaveProperty('shown_name');
    const { payments } = await listPayments(ledger.db)({ ...scope, group_id: id, limit: 10 });
    expect(names(payments)).toEqual([undefined, 'Ana']);
  });

  it('no event, message, description or investigation has it, and neither has another group (Q98)', async () => {
    const { id, pay, showing } = await openGroup();
    const other = await openGroup();
    const name = 'Anastasia the Shown';
    await ledger.record(authorised(await pay(0, { ...showing, customer_name: name })));
    await ledger.record(authorised(await other.pay(0, { customer_name: name }, 'p0@example.com')));
    expect(await shown(id)).toEqual([name, undefined, undefined]);
    expect(await shown(other.id)).toEqual([undefined, undefined, undefined]);
    expect(JSON.stringify(await ledger.listMessages(id, '%'))).not.toContain(name);
    expect(JSON.stringify(await inspectGroup(ledger.db)({ group_id: id }))).not.toContain(name);
    const described = await describeGroup(ledger.db)({ ...scope, group_id: id });
    expect(described.payments.every((payment) => !('shown_name' in payment))).toBe(true);
  });

  it.each([
    ['without a name', {}],
    ['with an empty name', { customer_name: '' }],
    ['with a blank name', { customer_name: ' \u00a0' }],
  ])('consent %s is refused, and takes no slot (Q97)', async (_what, o) => {
    const { id, pay } = await openGroup();
    await expect(pay(0, { ...o, show_name: true })).rejects.toMatchObject({
      code: 'validation_error',
      message: 'Validation error: customer_name: is required with show_name',
    });
    const { slots } = await ledger.find({ ...scope, group_id: id });
    expect(slots.map(({ state }) => state)).toEqual(['unassigned', 'unassigned', 'unassigned']);
  });

  it.each([
    ['A'.repeat(100), `${'A'.repeat(39)}…`],
    ['  Ana María  ', 'Ana María'],
    ['👨‍👩‍👧‍👦'.repeat(4), `${'👨‍👩‍👧‍👦'.repeat(3)}…`],
  ])('the name %p is seen by the others as %p (Q97)', async (customer_name, seen) => {
    const { id, pay } = await openGroup();
    await ledger.record(authorised(await pay(0, { customer_name, show_name: true })));
    expect(await shown(id)).toEqual([seen, undefined, undefined]);
  });

  it('somebody who types another payer’s address cannot rename that payer (A11, Q97)', async () => {
    const { id, pay, showing } = await openGroup();
    await ledger.record(authorised(await pay(0, showing, 'ana@example.com')));
    await pay(1, { customer_name: 'Not Ana', show_name: true }, 'ana@example.com');
    expect(await shown(id)).toEqual(['Ana', undefined, undefined]);
  });

  it('it goes with the refund, and stays at the slots of the others (Q98)', async () => {
    const { id, slots, pay, showing } = await openGroup();
    for (const at of [0, 1, 2])
      await ledger.record(authorised(await pay(at, { ...showing, customer_name: `P${at}` })));
    await answerAll(ledger, id, 'capture', 'captured');
    expect(await shown(id)).toEqual(['P0', 'P1', 'P2']);
    const command = { command_id: digest(id), fingerprint: digest(id), source: 'api' as const };
    await ledger.refund({ ...scope, ...command, group_id: id, slot_ids: [slots[0]!.id] });
    await answerAll(ledger, id, 'refund', 'refunded');
    expect(await shown(id)).toEqual([undefined, 'P1', 'P2']);
  });
});

describe('a payer who takes the consent back', () => {
  it('the name is stored no more, open pages hear of it, and it happens once (Q99)', async () => {
    const { id, pay, showing } = await openGroup();
    const ana = await pay(0, showing);
    await ledger.record(authorised(ana));
    const heard: number[] = [];
    const replica = await openReplica(ledger.database.url('group_ledger'), {
      publishChange: ({ version }) => void heard.push(version),
    });
    const before = (await ledger.find({ ...scope, group_id: id })).group.version;
    const on = { ...scope, group_id: id, intent_id: ana.intent.id };
    expect(await replica.hideName(on)).toEqual({});
    expect(await replica.hideName(on)).toEqual({});
    await replica.db.close();
    expect(heard).toEqual([before + 1]);
    expect(await shown(id)).toEqual([undefined, undefined, undefined]);
    expect(await ledger.count('intents where group_id = $1 and shown_name is not null', [id])).toBe(0);
    expect(await listOrders(ledger, id, 'void')).toEqual([]);
  });

  it.each([
    ['of another merchant', { merchant_id: 'm2' }],
    ['of the other mode', { mode: 'live' as const }],
    ['of another payment', { intent_id: uuidv7() }],
  ])('a call for a payment %s is refused and changes nothing (S9, Q99)', async (_what, o) => {
    const { id, pay, showing } = await openGroup();
    const ana = await pay(0, showing);
    await ledger.record(authorised(ana));
    const on = { ...scope, group_id: id, intent_id: ana.intent.id };
    await expect(ledger.hideName({ ...on, ...o })).rejects.toMatchObject({ code: 'not_found' });
    const other = await openGroup();
    await expect(ledger.hideName({ ...on, group_id: other.id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await shown(id)).toEqual(['Ana', undefined, undefined]);
  });

  it('a repeated request of before shows the name to nobody again (Q12, Q99)', async () => {
    const { id, slots, showing } = await openGroup();
    const request = reserveRequest(id, 'ana@example.com', [slots[0]!.id], showing);
    const { intent } = await ledger.reserve(request);
    await ledger.hideName({ ...scope, group_id: id, intent_id: intent.id });
    const again = await ledger.reserve(request);
    expect(again).toMatchObject({ replayed: true, intent: { id: intent.id } });
    await ledger.record(authorised(again));
    expect(await shown(id)).toEqual([undefined, undefined, undefined]);
  });

  it('erasing a payer takes the name from every group at once, and from no other payer (Q31, Q99)', async () => {
    const [first, second] = [await openGroup(), await openGroup()];
    for (const { pay, showing } of [first, second])
      await ledger.record(authorised(await pay(0, showing, 'forget.ana@example.com')));
    await ledger.record(authorised(await first.pay(1, { customer_name: 'Bob', show_name: true })));
    const { version } = (await ledger.find({ ...scope, group_id: first.id })).group;
    await forgetCustomer(ledger.parts)({ ...scope, email: 'forget.ana@example.com' }, operator);
    expect(await shown(first.id)).toEqual([undefined, 'Bob', undefined]);
    expect(await shown(second.id)).toEqual([undefined, undefined, undefined]);
    expect((await ledger.find({ ...scope, group_id: first.id })).group.version).toBeGreaterThan(version);
  });

  it('erasing a payer hides the name of a payment that began meanwhile, too (Q31, Q99)', async () => {
    const { id, pay, showing } = await openGroup();
    await ledger.record(authorised(await pay(0, {}, 'late.ana@example.com')));
    const { db } = ledger.parts;
    const payFirst: typeof db.transaction = async (work) => {
      await ledger.record(authorised(await pay(1, showing, 'late.ana@example.com')));
      return db.transaction(work);
    };
    // The names of before are hidden without a transaction, as there are none: the first is that which erases the payer.
    const transaction: typeof db.transaction = (work) =>
      begun++ === 0 ? payFirst(work) : db.transaction(work);
    let begun = 0;
    const parts = { ...ledger.parts, db: { ...db, transaction } };
    await forgetCustomer(parts)({ ...scope, email: 'late.ana@example.com' }, operator);
    expect(await shown(id)).toEqual([undefined, undefined, undefined]);
  });
});
