import { beforeAll, describe, expect, it } from '@jest/globals';
import { searchCustomers } from '../src/app/customers/search-customers.ts';
import { searchStatement } from '../src/db/lookups/search-customers.ts';
import { connection, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const shop = { ...scope, merchant_id: 'm-search' };
const find = async (text: string, o: { merchant_id?: string; mode?: 'live' } = {}) => {
  const { customers, is_cut } = await searchCustomers(ledger.db)({ ...shop, ...o, text });
  return { emails: customers.map(({ email }) => email), is_cut };
};
const start = async (email: string, customer_name: string) => {
  const { group } = await ledger.newGroup(shop);
  await ledger.reserve(reserveRequest(group.id, email, undefined, { ...shop, customer_name }));
};

const TEXTS = [
  ...['Ána García', 'gar', 'Ána g', 'ana garcia', 'GARCIA', 'ana garcía', 'Ana\u0301 g'],
  ...['ANA.garcia@payers.example', ' ana.garcia@payers.example '],
];

beforeAll(async () => {
  await ledger.note(connection(shop));
  await start('ana.garcia@payers.example', 'Ána García');
  await start('somebody@payers.example', 'Another One');
});

describe('a search of customers', () => {
  it('a customer is found by the beginning of each word of the name, and by the whole address, in any case, with accents and without (Q65)', async () => {
    for (const text of TEXTS)
      expect({ text, ...(await find(text)) }).toEqual({
        text,
        emails: ['ana.garcia@payers.example'],
        is_cut: false,
      });
  });

  it('a customer of another merchant, or of the other mode, is not found by anything (S9)', async () => {
    for (const text of TEXTS)
      for (const other of [{ merchant_id: 'm-other' }, { mode: 'live' as const }])
        expect(await find(text, other)).toEqual({ emails: [], is_cut: false });
  });

  it.each(['nobody', '%', '_', "' or true --", '   ', 'ana.garcia@payers', 'arc', '\\'])(
    'the text %j finds no customer',
    async (text) => expect(await find(text)).toEqual({ emails: [], is_cut: false }),
  );

  it('a text with characters that no text has is a mistake of the request', async () => {
    await expect(find('a\u0000')).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('five of many are found, those with the latest payment first, and that there are more (Q65)', async () => {
    for (let i = 0; i < 6; i += 1) await start(`guest${i}@payers.example`, `Guest ${i}`);
    await start('guest0@payers.example', 'Guest 0');
    const latest = [0, 5, 4, 3, 2].map((i) => `guest${i}@payers.example`);
    expect(await find('guest')).toEqual({ emails: latest, is_cut: true });
  });
});

/** Customers with later payments; a transaction that is rolled back leaves none of them. */
const THOUSANDS = `insert into customers (id, merchant_id, mode, email, name, last_payment_at)
  select gen_random_uuid(), 'm-search', 'test', 'p' || n || '@example.com', 'Payer ' || n, now() + n * interval '1 second'
  from generate_series(1, 10000) n`;

it('a search among very many customers reads an index for each text that it compares (Q65)', async () => {
  // Only the owner of tables may analyse them.
  const asOwner = <T extends object>(sql: string) => ledger.database.asOwner<T>('group_ledger', sql);
  const write = (text: string) =>
    [`'m-search'`, `'test'`, `'${text}'`].reduce(
      (sql, value, at) => sql.replaceAll(`$${at + 1}`, value),
      searchStatement.text,
    );
  await asOwner('begin');
  await asOwner(THOUSANDS);
  await asOwner('analyze customers');
  const plan = JSON.stringify(await asOwner(`explain ${write('Ána g')}`));
  const found = await asOwner<{ email: string }>(write('Ána g'));
  await asOwner('rollback');
  expect(found.map(({ email }) => email)).toEqual(['ana.garcia@payers.example']);
  for (const index of ['customers_by_activity', 'customers_by_name', 'customers_are_known_by_email'])
    expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan');
});
