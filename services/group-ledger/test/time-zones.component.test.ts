import { expect, it } from '@jest/globals';
import { createOperator } from '@gp/testing';
import { describeGroup } from '../src/app/groups/describe-group.ts';
import { forgetCustomer } from '../src/app/operator/forget-customer.ts';
import { inspectGroup } from '../src/app/operator/inspect-group.ts';
import { listPayments } from '../src/app/payments/list-payments.ts';
import { reserveSlots } from '../src/app/payments/reserve-slots.ts';
import { authorised } from './gateway.ts';
import { reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const { person: operator } = createOperator('ann', 'act');

/** A new group of three slots; `pay` takes one of them, `zones` are the time zones of its payments, oldest first. */
async function openGroup() {
  const { group, slots } = await ledger.newGroup();
  const pay = (at: number, email: string, time_zone?: string) =>
    ledger.reserve(
      reserveRequest(group.id, email, [slots[at]!.id], time_zone === undefined ? {} : { time_zone }),
    );
  const zones = async () => {
    const { payments } = await listPayments(ledger.db)({ ...scope, group_id: group.id, limit: 10 });
    return payments.map(({ time_zone }) => time_zone).toReversed();
  };
  return { id: group.id, pay, zones };
}

it('the list of payments has the time zone of each payer, the latest one that a payment gave (Q105)', async () => {
  const { pay, zones } = await openGroup();
  await pay(0, 'zone.ana@example.com', 'Europe/Madrid');
  await pay(1, 'zone.bob@example.com');
  expect(await zones()).toEqual(['Europe/Madrid', undefined]);
  const later = await openGroup();
  await later.pay(0, 'zone.ana@example.com');
  expect(await later.zones()).toEqual(['Europe/Madrid']);
  await later.pay(1, 'zone.ana@example.com', 'Asia/Tokyo');
  expect(await zones()).toEqual(['Asia/Tokyo', undefined]);
});

it.each(['Europe/Nowhere', 'Etc/Unknown', '+05:30', '', ' ', 'UTC\u0000', '\udfff', '<b>', 'x'.repeat(65)])(
  'a name that the ledger does not know, %j, is ignored, and the payer pays (Q105)',
  async (time_zone) => {
    const { pay, zones } = await openGroup();
    const { intent } = await pay(0, 'unknown.zone@example.com', time_zone);
    expect(intent.state).toBe('created');
    expect(await zones()).toEqual([undefined]);
  },
);

it('no event, message, description or investigation has it (Q106)', async () => {
  const { id, pay } = await openGroup();
  await ledger.record(authorised(await pay(0, 'quiet.zone@example.com', 'Antarctica/Troll')));
  const told = [
    await ledger.listMessages(id, '%'),
    await inspectGroup(ledger.db)({ group_id: id }),
    await describeGroup(ledger.db)({ ...scope, group_id: id }),
  ];
  expect(JSON.stringify(told)).not.toContain('Troll');
});

it('erasing a payer erases the time zone, and that of nobody else (Q31, Q106)', async () => {
  const { pay, zones } = await openGroup();
  await pay(0, 'erase.zone@example.com', 'Europe/Madrid');
  await pay(1, 'keep.zone@example.com', 'Asia/Tokyo');
  await forgetCustomer(ledger.parts)({ ...scope, email: 'erase.zone@example.com' }, operator);
  expect(await zones()).toEqual([undefined, 'Asia/Tokyo']);
});

it('a payment that overlaps the erasure of its payer stores no time zone (Q31, Q106)', async () => {
  const { id, pay, zones } = await openGroup();
  const email = 'overlap.zone@example.com';
  await pay(0, email);
  const { db } = ledger.parts;
  let isErased = false;
  // The ledger reads the payer, then the operator erases the payer, then the ledger writes the payment.
  const query: typeof db.query = async (asked, values) => {
    if (asked.name === 'ledger.save-decision' && !isErased) {
      isErased = true;
      await forgetCustomer(ledger.parts)({ ...scope, email }, operator);
    }
    return db.query(asked, values);
  };
  const overlapping = reserveSlots({ ...ledger.parts, db: { ...db, query } });
  await overlapping(reserveRequest(id, email, undefined, { time_zone: 'Europe/Madrid' }));
  expect(isErased).toBe(true);
  expect(await zones()).toEqual([undefined, undefined]);
});
