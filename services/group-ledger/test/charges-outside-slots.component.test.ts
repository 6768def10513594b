import { expect, it } from '@jest/globals';
import { authorised } from './gateway.ts';
import { openBooks } from './money-books.ts';
import { reserveRequest, useLedger } from './harness.ts';

const ledger = useLedger();
const books = openBooks(ledger);

async function sumAccounts(groupId: string) {
  const rows = await ledger.db.pool.query<{ account: string; minor: string }>(
    `select account, sum(amount_minor) as minor from postings where group_id = $1 group by account`,
    [groupId],
  );
  return Object.fromEntries(rows.rows.map(({ account, minor }) => [account, Number(minor)]));
}

it('a refused hold that is captured and refunded at the gateway is in the postings, and its slot is free (Q82)', async () => {
  const { group, slots } = await ledger.newGroup();
  const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id]));
  const asked = Number(reserved.intent.amount_minor);
  const hold = { amount_minor: `${asked - 1}` };
  await ledger.record(authorised(reserved, hold));
  const charge = { operation: 'capture', status: 'captured', ...hold } as const;
  const first = await books.report(reserved, charge);
  expect(first).toMatchObject({ verdict: 'applied', intent: { state: 'failed' } });
  expect((await books.report(reserved, charge)).verdict).toBe('ignored');
  await books.report(reserved, { operation: 'refund', status: 'refunded', amount_minor: '2' });
  await books.report(reserved, { operation: 'refund', status: 'failed', amount_minor: '1' });
  expect(await sumAccounts(group.id)).toEqual({
    'payer:authorised': 1 - asked,
    'group:held': 0,
    'merchant:captured': asked - 2,
    'payer:refunded': 1,
  });
  expect(await ledger.count('slots where group_id = $1 and intent_id is not null', [group.id])).toBe(0);
});

it('a reversal names its authorization, so that it takes back the charge outside the slots (Q82)', async () => {
  const { group, slots } = await ledger.newGroup();
  const reserved = await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id]));
  const hold = { amount_minor: `${Number(reserved.intent.amount_minor) - 1}` };
  await ledger.record(authorised(reserved, hold));
  await books.report(reserved, { operation: 'capture', status: 'captured', ...hold });
  await books.report(reserved, { operation: 'capture', status: 'failed', ...hold });
  expect(await sumAccounts(group.id)).toEqual({
    'payer:authorised': 0,
    'group:held': 0,
    'merchant:captured': 0,
  });
});
