import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ListPosition } from '@gp/contracts';
import { createOperator } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { fillLastPayments } from '../src/app/customers/fill-last-payments.ts';
import { findCustomers, listCustomers } from '../src/app/customers/list-customers.ts';
import { forgetCustomer } from '../src/app/operator/forget-customer.ts';
import { pageStatement } from '../src/db/lookups/list-customers.ts';
import { startPayment } from './groups.ts';
import { connection, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const { person: ann } = createOperator('ann', 'act');
type Asked = Partial<Parameters<ReturnType<typeof listCustomers>>[0]>;
const list = (o: Asked = {}) => listCustomers(ledger.db)({ ...scope, limit: 100, ...o });
const emails = async (o: Asked = {}) => (await list(o)).customers.map(({ email }) => email);
const start = (email: string, merchant: { merchant_id: string }, name?: string) =>
  startPayment(ledger, email, merchant, name);

describe('the list of customers', () => {
  const shop = { merchant_id: 'm-customers' };
  beforeAll(async () => {
    await ledger.note(connection(shop));
    for (const email of ['ana@example.com', 'ben@example.com', 'cleo@example.com']) await start(email, shop);
    await start(' Ana@Example.com ', shop, 'Ana Lima');
  });

  it('the customer with the latest payment comes first, once, with the latest name and both instants (Q60)', async () => {
    const { customers, next } = await list(shop);
    expect(next).toBeNull();
    expect(customers.map(({ email, name }) => [email, name])).toEqual([
      ['ana@example.com', 'Ana Lima'],
      ['cleo@example.com', null],
      ['ben@example.com', null],
    ]);
    for (const { id, created_at, last_payment_at } of customers) {
      const started = await ledger.rows<{ created_at: Date }>(
        'select created_at from intents where customer_id = $1 order by created_at',
        [id],
      );
      const instants = started.map((row) => row.created_at.toISOString());
      expect([created_at, last_payment_at]).toEqual([instants[0], instants.at(-1)]);
    }
  });

  it('pages have each customer once, also those who paid in the same millisecond (Q60)', async () => {
    const many = { merchant_id: 'm-pages' };
    await ledger.note(connection(many));
    for (let i = 0; i < 5; i += 1) await start(`p${i}@example.com`, many);
    await ledger.rows(
      `update customers set last_payment_at = date_trunc('minute', created_at) where merchant_id = 'm-pages'`,
    );
    const all = await emails(many);
    const found: string[] = [];
    let after: ListPosition | null = null;
    do {
      const asked = { ...many, limit: 2, ...(after && { after }) };
      const page: Awaited<ReturnType<typeof list>> = await list(asked);
      found.push(...page.customers.map(({ email }) => email));
      after = page.next;
    } while (after);
    expect(found).toEqual(all);
    expect(new Set(found).size).toBe(5);
  });

  it('the list is filtered by address in any case, and by first and latest payment, bounds included (Q60)', async () => {
    const [ana, cleo, ben] = (await list(shop)).customers;
    expect(await emails({ ...shop, customer_email: ' BEN@example.com ' })).toEqual(['ben@example.com']);
    expect(await emails({ ...shop, customer_email: 'nobody@example.com' })).toEqual([]);
    const since = cleo?.last_payment_at ?? '';
    expect(await emails({ ...shop, last_payment_after: since })).toEqual([ana?.email, cleo?.email]);
    expect(await emails({ ...shop, last_payment_before: since })).toEqual([cleo?.email, ben?.email]);
    // Ana's first payment was before all others, and her latest after them.
    expect(await emails({ ...shop, created_after: since })).toEqual([cleo?.email]);
    expect(await emails({ ...shop, created_before: ana?.created_at ?? '' })).toEqual([ana?.email]);
    const ofBen = { ...shop, customer_email: 'ben@example.com' };
    expect(await emails({ ...ofBen, last_payment_after: since })).toEqual([]);
  });

  it('a reservation that is refused, or repeated, is no payment of a customer (Q60)', async () => {
    const late = { merchant_id: 'm-late' };
    await ledger.note(connection(late));
    const { group, slots } = await ledger.newGroup(late);
    const request = reserveRequest(group.id, 'dora@example.com', [slots[0]!.id], late);
    await ledger.reserve(request);
    const [before] = (await list(late)).customers;
    await ledger.reserve(request);
    const taken = reserveRequest(group.id, 'eve@example.com', [slots[0]!.id], late);
    await expect(ledger.reserve(taken)).rejects.toMatchObject({ code: 'no_payable_slots' });
    expect((await list(late)).customers).toEqual([before]);
  });

  it('customers of another merchant or of the other mode are never listed, nor found (S9)', async () => {
    const own = (await list(shop)).customers.map(({ id }) => id);
    for (const other of [{ merchant_id: 'm-other' }, { ...shop, mode: 'live' as const }]) {
      expect(await list(other)).toEqual({ customers: [], next: null });
      expect(await emails({ ...other, customer_email: 'ana@example.com' })).toEqual([]);
      expect(await findCustomers(ledger.db)({ ...scope, ...other, customer_ids: own })).toEqual({
        customers: [],
      });
    }
    const { customers } = await findCustomers(ledger.db)({
      ...scope,
      ...shop,
      customer_ids: [...own, uuidv7()],
    });
    expect(customers.map(({ id }) => id).toSorted()).toEqual(own.toSorted());
  });

  it('an erased customer stays in the list without address and name, and the address belongs to a new one (Q31, Q64)', async () => {
    const erased = { merchant_id: 'm-erased' };
    await ledger.note(connection(erased));
    const { customerId } = await start('forget.me@example.com', erased, 'Forget Me');
    await forgetCustomer(ledger.parts)({ ...scope, ...erased, email: 'forget.me@example.com' }, ann);
    expect((await list(erased)).customers).toMatchObject([
      { id: customerId, email: `${customerId}@erased.invalid`, name: null },
    ]);
    expect(await emails({ ...erased, customer_email: 'forget.me@example.com' })).toEqual([]);
    const again = await start('forget.me@example.com', erased);
    expect(again.customerId).not.toBe(customerId);
    expect((await list(erased)).customers.map(({ id }) => id)).toEqual([again.customerId, customerId]);
  });
});

describe('customers of an older release', () => {
  const old = { merchant_id: 'm-old' };
  const pass = (waitMs?: number) => fillLastPayments(ledger.db, waitMs).runOnce(AbortSignal.timeout(10_000));

  it('the latest payment of a customer whom an older release stored is filled in after the rollout, and the first one stands in until then (Q60)', async () => {
    await ledger.note(connection(old));
    await start('ana@example.com', old);
    await start('ben@example.com', old);
    await start('ana@example.com', old);
    const known = await list(old);
    await ledger.rows('update customers set last_payment_at = null');
    expect(await emails(old)).toEqual(['ben@example.com', 'ana@example.com']);
    expect(await pass()).toBe('idle');
    expect(await ledger.count('customers where last_payment_at is not null')).toBe(0);
    expect(await pass(0)).toBe('busy');
    expect(await pass(0)).toBe('idle');
    expect(await list(old)).toEqual(known);
    expect(await ledger.count('customers where last_payment_at is null')).toBe(0);
  });

  it('the latest payment of a customer is never before the first one, also where clocks disagree (Q60)', async () => {
    const skewed = { merchant_id: 'm-skewed' };
    await ledger.note(connection(skewed));
    await start('ana@example.com', skewed);
    await ledger.rows(
      `update customers set created_at = created_at + interval '1 hour', last_payment_at = null where merchant_id = 'm-skewed'`,
    );
    await start('ana@example.com', skewed);
    const [ana] = (await list(skewed)).customers;
    expect(ana?.last_payment_at).toBe(ana?.created_at);
    expect(await emails({ ...skewed, created_after: ana?.created_at ?? '' })).toEqual(['ana@example.com']);
  });
});

/** Customers of one merchant; a transaction that is rolled back leaves none of them. */
const THOUSANDS = `insert into customers (id, merchant_id, mode, email, created_at, last_payment_at)
  select gen_random_uuid(), 'm-many', 'test', 'p' || n || '@example.com', now(), now() + n * interval '1 second'
  from generate_series(1, 10000) n`;

it.each([
  ['the first page', `'infinity'`],
  ['a later page', `(now() + interval '5000 seconds')`],
])('%s of very many customers is read from the index, without sorting (Q60)', async (_, before) => {
  // Only the owner of tables may analyse them.
  const asOwner = (sql: string) => ledger.database.asOwner('group_ledger', sql);
  await asOwner('begin');
  await asOwner(THOUSANDS);
  await asOwner('analyze customers');
  const id = `'ffffffff-ffff-ffff-ffff-ffffffffffff'`;
  const [least, most] = [`'-infinity'`, `'infinity'`];
  const values = [`'m-many'`, `'test'`, least, least, most, before, id, most, '21'];
  const text = values.reduce((sql, value, at) => sql.replaceAll(`$${at + 1}`, value), pageStatement.text);
  const plan = JSON.stringify(await asOwner(`explain ${text}`));
  await asOwner('rollback');
  expect(plan).toContain('Index Scan Backward using customers_by_activity');
  expect(plan).toMatch(/Index Cond: .*ROW\(/);
  expect(plan).not.toContain('Sort');
});
