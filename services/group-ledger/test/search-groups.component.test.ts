import { beforeAll, describe, expect, it } from '@jest/globals';
import { statement } from '@gp/pg';
import { searchGroups } from '../src/app/groups/search-groups.ts';
import { searchGroups as findRows, searchStatement } from '../src/db/lookups/search-groups.ts';
import { authorised } from './gateway.ts';
import { connection, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const merchant = { merchant_id: 'm-search' };
const find = async (text: string, o: { merchant_id?: string; mode?: 'live' } = {}) => {
  const { groups, is_cut } = await searchGroups(ledger.db)({ ...scope, ...merchant, ...o, text });
  return { ids: groups.map(({ id }) => id), is_cut };
};

/** A group that Ána García holds a slot of, and what it is found by. */
async function newSearched() {
  const { group, slots } = await ledger.newGroup({
    ...merchant,
    group_name: 'Dinner at Mario’s',
    organiser: { may: ['remind'], latest_expires_at: null },
    client_reference: 'Table-7/ÉTÉ',
  });
  const payer = { ...merchant, customer_name: 'Ána García' };
  const email = 'ana.garcia@payers.example';
  const reserved = await ledger.reserve(reserveRequest(group.id, email, [slots[0]?.id ?? ''], payer));
  await ledger.record(authorised(reserved, { ...merchant, psp_reference: 'pi_3Searched' }));
  return { group, email, intentId: reserved.intent.id };
}

let searched: Awaited<ReturnType<typeof newSearched>>;
let texts: readonly string[];
beforeAll(async () => {
  await ledger.note(connection(merchant));
  searched = await newSearched();
  await ledger.newGroup({ ...merchant, group_name: 'Another', client_reference: 'other' });
  const { group, email, intentId } = searched;
  texts = [
    group.id,
    group.id.toUpperCase(),
    `https://dashboard.example/test/group-payments/${group.id}?tab=1`,
    intentId,
    group.merchant_order_id,
    group.merchant_order_id.toLowerCase(),
    ` ${group.merchant_order_id.slice(0, -2)} `,
    'Table-7/ÉTÉ',
    'table-7',
    'dinner at',
    'DINNER',
    'mario',
    'Ána García',
    'gar',
    ...['ana garcia', 'GARCIA', 'ana garcía', 'marió'],
    email,
    email.toUpperCase(),
    'pi_3Searched',
    `https://pay.example/c/${group.page_token}`,
    `pay.example/c/${group.page_token}?slot=2`,
    `https://pay.example/o/${group.organiser!.token}`,
  ];
});

describe('a search of groups', () => {
  it('a group is found by its names, its ids, its links, its payer and the gateway’s reference, whatever the case and the accents', async () => {
    const found = await Promise.all(texts.map((text) => find(text)));
    expect(found.map(({ ids }) => ids)).toEqual(texts.map(() => [searched.group.id]));
  });

  it('a group of another merchant, or of the other mode, is not found by anything (S9)', async () => {
    for (const text of texts)
      for (const other of [{ merchant_id: 'm-other' }, { mode: 'live' as const }])
        expect(await find(text, other)).toEqual({ ids: [], is_cut: false });
  });

  it.each([
    'nothing',
    '%',
    '_',
    "' or true --",
    '   ',
    'ana.garcia@payers',
    'pi_3',
    'inner',
    '\\',
    'https://pay.example/c/',
  ])('the text %j finds nothing', async (text) =>
    expect(await find(text)).toEqual({ ids: [], is_cut: false }),
  );

  it('a text with characters that no text has is a mistake of the request', async () => {
    await expect(find('a\u0000')).rejects.toMatchObject({ code: 'validation_error' });
  });

  it('the 20 newest of many groups are found, and that there are more', async () => {
    const many = { merchant_id: 'm-many' };
    await ledger.note(connection(many));
    const ids: string[] = [];
    for (let i = 0; i < 21; i += 1)
      ids.push((await ledger.newGroup({ ...many, group_name: `Feast ${i}` })).group.id);
    expect(await find('feast', many)).toEqual({ ids: ids.slice(1).toReversed(), is_cut: true });
    expect(await find('gp-', many)).toEqual({ ids: ids.slice(1).toReversed(), is_cut: true });
    expect(await find('feast 1', many)).toEqual({
      ids: [...ids.slice(10, 20).toReversed(), ids[1]],
      is_cut: false,
    });
  });
});

/** Newer groups with a payer each; a transaction that is rolled back leaves none of them. */
const THOUSANDS = `with made as (
    insert into groups (id, merchant_id, mode, group_name, merchant_order_id, client_reference, total_minor, currency, state,
                        page_token, expires_at, version, sequence, refund_number, created_at, updated_at)
    select gen_random_uuid(), 'm-search', 'test', 'Lunch ' || n, 'GP-Z' || n, 'r' || n, 100, 'EUR', 'open', 'token ' || n,
           now(), 1, 0, 0, now() + n * interval '1 second', now()
    from generate_series(1, 5000) n
    returning id, substr(client_reference, 2) as n
  ), known as (
    insert into customers (id, merchant_id, mode, email, name)
    select id, 'm-search', 'test', 'p' || n || '@example.com', 'Payer ' || n from made
  ), paid as (
    insert into intents (id, group_id, customer_id, psp_code, credential_version, amount_minor, slot_ids, state, unknown,
                         declines, renewals, amount_captured, amount_refunded, disputed, created_at)
    select id, id, id, 'gateway_a', 1, 100, array[id], 'created', false, 0, 0, 0, 0, false, now() from made
  )
  insert into attempts (id, intent_id, group_id, seq, state, psp_reference, started_at)
  select id, id, id, 1, 'started', 'pi_' || n, now() from made`;

describe('a search among very many groups', () => {
  it('an older group is found by the beginning of each of its names, a newer one by any word of them', async () => {
    const rollback = new Error('rolled back');
    const own = { merchantId: merchant.merchant_id, mode: 'test' };
    const search = ledger.db.transaction(async (tx) => {
      await tx.query(statement('test.insert-thousands', THOUSANDS));
      const ids = async (text: string) =>
        (await findRows(tx, own, { text, id: null, token: null })).map(({ id }) => id);
      for (const text of ['DINNER', 'table-7', 'Ána g', searched.email, 'pi_3Searched'])
        expect({ text, ids: await ids(text) }).toEqual({ text, ids: [searched.group.id] });
      expect(await ids('lunch')).toHaveLength(21);
      expect(await ids('4999')).toHaveLength(1);
      throw rollback;
    });
    await expect(search).rejects.toBe(rollback);
  });

  it('a search reads an index for each of the texts that it compares', async () => {
    // Only the owner of tables may analyse them.
    const asOwner = (sql: string) => ledger.database.asOwner('group_ledger', sql);
    await asOwner('begin');
    await asOwner(THOUSANDS);
    await asOwner('analyze groups, customers, intents, attempts');
    const values = [`'m-search'`, `'test'`, `'dinner'`, 'null::uuid', `'token'`];
    const text = values.reduce((sql, value, at) => sql.replaceAll(`$${at + 1}`, value), searchStatement.text);
    const plan = JSON.stringify(await asOwner(`explain ${text}`));
    await asOwner('rollback');
    const indexes = [
      'groups_of_a_merchant',
      'groups_by_name',
      'groups_by_reference_in_lower_case',
      'customers_by_name',
      'customers_are_known_by_email',
      'attempts_by_reference',
      'groups_are_told_apart_by_order_id',
      'groups_are_found_by_page_token',
      'groups_by_organiser_token',
    ];
    expect(indexes.filter((index) => !plan.includes(index))).toEqual([]);
    expect(plan).not.toContain('Seq Scan');
  });
});
