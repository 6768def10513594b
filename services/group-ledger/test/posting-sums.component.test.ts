import { describe, expect, it } from '@jest/globals';
import { addPostings } from '../src/app/books/add-postings.ts';
import { findBalance } from '../src/app/books/money.ts';
import { sumsStatement } from '../src/db/books/money.ts';
import { connection, useLedger } from './harness.ts';
import { openBooks, type Owner } from './money-books.ts';
import { THOUSANDS } from './thousands.ts';

const ledger = useLedger();
const late: Owner = { merchant_id: 'm-late', mode: 'test' };
const balances = async (owner: Owner) => (await findBalance(ledger.db)(owner)).balances;
/** Adds to the sums what was posted so far. */
const addAll = (db = ledger.db) => addPostings(db, 0).runOnce(AbortSignal.timeout(10_000));
const standing = (on_hold_minor: string, net_minor: string) => ({ on_hold_minor, net_minor });

describe('the sums of postings', () => {
  it('replicas that add at the same time add each posting once, and later ones are added to what is there (Q49)', async () => {
    const { at, hold, report } = openBooks(ledger);
    const replicas = [ledger, await ledger.replica(), await ledger.replica()];
    await ledger.note(connection(late));
    const group = await at('2026-03-01T10:00:00Z', () => hold({ except: 1 }, late));
    await Promise.all(replicas.map(({ db }) => addAll(db)));
    await at('2026-03-01T10:01:00Z', () =>
      report(group.payers[0], { ...late, operation: 'capture', status: 'captured', amount_minor: '1000' }),
    );
    const mixed = await balances(late);
    await Promise.all(replicas.map(({ db }) => addAll(db)));
    expect(await balances(late)).toEqual(mixed);
    expect(mixed).toMatchObject([standing('1000', '1000')]);
    expect(await ledger.count(`posting_sums where merchant_id = 'm-late'`)).toBe(1);
  });

  it('postings of the last ten minutes are not added: their transactions may not have ended (Q49)', async () => {
    const before = await ledger.rows('select end_id from posting_sums_end');
    await openBooks(ledger).hold({ except: 1 }, late);
    await addPostings(ledger.db).runOnce(AbortSignal.timeout(10_000));
    expect(await ledger.rows('select end_id from posting_sums_end')).toEqual(before);
  });

  it('sums that were thrown away are added up again, and balances are right meanwhile (Q49)', async () => {
    await addAll();
    const before = await balances(late);
    await ledger.database.asOwner(
      'group_ledger',
      `begin; truncate posting_sums;
       update posting_sums_end set end_id = '00000000-0000-0000-0000-000000000000'; commit`,
    );
    expect(await balances(late)).toEqual(before);
    await addAll();
    expect(await balances(late)).toEqual(before);
    expect(await ledger.count('posting_sums')).toBeGreaterThan(0);
  });

  it('a statement reads the sums of its merchant and the newest postings, each from an index (Q49)', async () => {
    const asOwner = (sql: string) => ledger.database.asOwner('group_ledger', sql);
    await asOwner('begin');
    await asOwner(THOUSANDS);
    await asOwner('analyze groups, intents, postings, posting_sums');
    const [end] = await ledger.database.asOwner<{ id: string }>(
      'group_ledger',
      `select uuidv7(interval '-10 minutes') as id`,
    );
    const days = `'{2026-01-01,2999-01-01}'`;
    const values = [`'m7'`, `'test'`, days, `'2999-01-01'::timestamptz`, `'${end?.id}'::uuid`];
    const text = values.reduce((sql, value, at) => sql.replaceAll(`$${at + 1}`, value), sumsStatement.text);
    const plan = JSON.stringify(await asOwner(`explain ${text}`));
    await asOwner('rollback');
    // A prepared one would be planned for any parameters after its fifth run, and read all postings.
    expect(sumsStatement.name).toBe('');
    expect(plan).toContain('posting_sums_have_one_row_per_quarter');
    expect(plan).toContain('postings_have_one_row_per_id');
    expect(plan).not.toContain('Seq Scan');
  });
});
