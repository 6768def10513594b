import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ListPosition, Movement, MovementTotal, RequestOf } from '@gp/contracts';
import type * as contracts from '@gp/contracts';
import { addPostings } from '../src/app/books/add-postings.ts';
import { listMovements } from '../src/app/books/list-movements.ts';
import { findBalance, findStatement } from '../src/app/books/money.ts';
import { pageStatement } from '../src/db/books/movements.ts';
import { answerTo, authorised, listOrders } from './gateway.ts';
import { connection, digest, reserveRequest, scope, useLedger } from './harness.ts';
import { openBooks, type Owner } from './money-books.ts';
import { THOUSANDS } from './thousands.ts';

const ledger = useLedger();
const live: Owner = { ...scope, mode: 'live' };
const other: Owner = { merchant_id: 'm2', mode: 'test' };
const failure = { code: 'taken_back', message: 'taken back', retryable: false };

type Asked = Partial<RequestOf<typeof contracts.listMovements>>;
/** Two months in which everything of the history was. */
const PERIOD = { from: '2026-01-01', to: '2026-02-28' };
const list = (o: Asked = {}) =>
  listMovements(ledger.db)({ ...scope, ...PERIOD, limit: 100, with_totals: false, ...o });
const addAll = () => addPostings(ledger.db, 0).runOnce(AbortSignal.timeout(10_000));

/** Reads all pages of a filter; `between` acts before each next page. */
async function readAll(
  o: Asked,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Movement[]> {
  const found: Movement[] = [];
  let after: ListPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ ...o, ...(after && { after }) });
    found.push(...page.movements);
    after = page.next;
    if (after) await between();
  } while (after);
  return found;
}

const byKind = (movements: readonly Movement[], currency: string) =>
  movements
    .filter((each) => each.currency === currency)
    .map(({ kind, amount_minor, is_tip }) => `${kind} ${amount_minor}${is_tip ? ' tip' : ''}`);

/** A payment with a tip of 2.00 on 10.00 is captured, and refunded. */
async function payWithTip(): Promise<string> {
  const { group, slots } = await ledger.newGroup({
    currency: 'CHF',
    total_minor: '1000',
    max_tip_minor: '200',
    distribution: { type: 'equally', number_of_slots: 1 },
  });
  const reserved = await ledger.reserve(
    reserveRequest(group.id, 'tip@example.com', [slots[0]!.id], { tip: '2.00' }),
  );
  await ledger.record(authorised(reserved));
  for (const order of await listOrders(ledger, group.id, 'capture'))
    await ledger.record(answerTo(order, 'gateway_a', 'captured'));
  const names = { command_id: digest(group.id), fingerprint: digest(group.id), source: 'api' as const };
  await ledger.refund({ ...scope, ...names, group_id: group.id });
  for (const order of await listOrders(ledger, group.id, 'refund'))
    await ledger.record(answerTo(order, 'gateway_a', 'refunded'));
  return group.id;
}

beforeAll(async () => {
  const { at, hold, answer, report } = openBooks(ledger);
  await ledger.note(connection(live));
  await ledger.note(connection(other));
  const dinner = await at('2026-01-10T23:30:00Z', () => hold({ group_name: 'Dinner' }));
  await at('2026-01-11T12:00:00Z', () => answer(dinner, 'capture', 'captured'));
  const [part, disputed, reversed] = dinner.payers;
  await at('2026-01-12T09:00:00Z', async () => {
    await report(part, { operation: 'refund', status: 'refunded', amount_minor: '400' });
    await report(disputed, { operation: 'dispute', status: 'disputed' });
  });
  await at('2026-01-13T00:00:00Z', () =>
    report(part, { operation: 'refund', status: 'failed', amount_minor: '150' }),
  );
  await at('2026-01-20T23:59:59.999Z', () =>
    report(reversed, { operation: 'capture', status: 'failed', failure }),
  );
  const yen = await at('2026-01-31T23:45:00Z', () =>
    hold({ currency: 'JPY', total_minor: '6000', except: 1 }),
  );
  await at('2026-02-03T10:00:00Z', async () => {
    const cancel = { command_id: digest('cancel'), fingerprint: digest('cancel'), actor: 'kim' };
    await ledger.cancel({ ...scope, ...cancel, group_id: yen.id });
    await answer(yen, 'void', 'voided');
  });
  await at('2026-02-10T10:00:00Z', payWithTip);
  for (const owner of [live, other]) {
    const group = await at('2026-01-11T10:00:00Z', () => hold({ total_minor: '7770' }, owner));
    await at('2026-01-12T10:00:00Z', () => answer(group, 'capture', 'captured'));
  }
  await ledger.note(connection({ psp_code: 'gateway_b', revision: 2 }));
  await at('2026-02-20T10:00:00Z', () => hold({ total_minor: '3000', except: 1 }));
});

describe.each(['postings that were not added to the movements', 'the added movements'])(
  'read from %s',
  (from) => {
    beforeAll(async () => {
      if (from.startsWith('the')) await addAll();
      expect((await ledger.count('movements')) > 0).toBe(from.startsWith('the'));
    });

    it('every kind of movement has its time, amount, gateway, payment and group payment, the newest first (Q102)', async () => {
      const movements = await readAll({});
      expect(byKind(movements, 'EUR')).toEqual([
        ...['held 1000', 'held 1000', 'reversed 1000', 'returned 150', 'refunded 400', 'disputed 1000'],
        ...['captured 1000', 'captured 1000', 'captured 1000', 'held 1000', 'held 1000', 'held 1000'],
      ]);
      expect(byKind(movements, 'JPY')).toEqual(['released 2000', 'released 2000', 'held 2000', 'held 2000']);
      expect(byKind(movements, 'CHF').toSorted()).toEqual([
        'captured 1000',
        'captured 200 tip',
        'held 1200',
        'refunded 1000',
        'refunded 200 tip',
      ]);
      const times = movements.map(({ at }) => at);
      expect(times).toEqual(times.toSorted().reverse());
      const refunded = movements.find(({ kind, currency }) => kind === 'refunded' && currency === 'EUR');
      const [group] = await ledger.rows<{ id: string; merchant_order_id: string; intent_id: string }>(
        `select g.id, g.merchant_order_id, i.id as intent_id from groups g join intents i on i.group_id = g.id
       where g.group_name = 'Dinner' and i.amount_refunded > 0`,
      );
      expect(refunded).toEqual({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        at: '2026-01-12T09:00:00.000Z',
        kind: 'refunded',
        is_tip: false,
        psp_code: 'gateway_a',
        currency: 'EUR',
        amount_minor: '400',
        group_id: group?.id,
        group_name: 'Dinner',
        merchant_order_id: group?.merchant_order_id,
        client_reference: null,
        intent_id: group?.intent_id,
      });
    });

    it.each([
      ['2026-01-01', '2026-01-31', 'UTC'],
      ['2026-02-01', '2026-02-28', 'UTC'],
      ['2026-01-12', '2026-01-12', 'UTC'],
      ['2026-01-01', '2026-01-31', 'Europe/Madrid'],
      ['2026-01-21', '2026-02-01', 'Asia/Kathmandu'],
    ])('from %s to %s in %s movements add up to the statement (Q102)', async (first, last, time_zone) => {
      const period = { from: first, to: last, time_zone };
      for (const owner of [scope, live, other]) {
        const { statements } = await findStatement(ledger.db)({ ...owner, ...period, skip: 0 });
        const { movements, totals } = await list({ ...owner, ...period, with_totals: true });
        const currencies = new Set(statements.map(({ currency }) => currency));
        const stated = [...currencies].flatMap((currency) =>
          KINDS.map((kind) => {
            const ofCurrency = statements.filter((each) => each.currency === currency);
            return [currency, kind, sum(ofCurrency.map((each) => each.movements[`${kind}_minor`]))] as const;
          }),
        );
        const moved = stated.filter(([, , minor]) => minor !== 0n);
        expect(sumOf(totals ?? [])).toEqual(sumByName(moved));
        expect(sumOf(movements)).toEqual(sumByName(moved));
        const tips = sum(movements.filter(({ is_tip }) => is_tip).map(({ amount_minor }) => amount_minor));
        expect(sum((totals ?? []).map(({ tips_minor }) => tips_minor))).toBe(tips);
      }
    });

    it('everything that was ever moved adds up to the balance (Q102)', async () => {
      const { balances } = await findBalance(ledger.db)(scope);
      const movements = await readAll({ psp_code: 'gateway_a', currency: 'EUR' });
      const balance = balances.find((each) => each.currency === 'EUR' && each.psp_code === 'gateway_a');
      for (const kind of KINDS)
        expect(
          sum(movements.filter((each) => each.kind === kind).map(({ amount_minor }) => amount_minor)),
        ).toBe(BigInt(balance?.movements[`${kind}_minor`] ?? -1));
    });

    it.each<[Asked, number]>([
      [{ kind: 'captured' }, 5],
      [{ kind: 'disputed' }, 1],
      [{ currency: 'JPY' }, 4],
      [{ psp_code: 'gateway_b' }, 2],
      [{ kind: 'held', currency: 'EUR', psp_code: 'gateway_a' }, 3],
      [{ kind: 'released', currency: 'EUR' }, 0],
      [{ from: '2026-01-13', to: '2026-01-13' }, 1],
      [{ from: '2026-01-13', to: '2026-01-13', time_zone: 'America/New_York' }, 0],
    ])('the filter %j matches %i, and its totals are of these (Q102)', async (filter, count) => {
      const { movements, totals } = await list({ ...filter, with_totals: true });
      expect(movements).toHaveLength(count);
      expect(totals?.reduce((all, each) => all + each.count, 0)).toBe(count);
      expect(sumOf(totals ?? [])).toEqual(sumOf(movements));
    });

    it.each([1, 2, 7])(
      'pages of %i have each movement once, also those of one instant (Q19, Q102)',
      async (limit) => {
        const all = (await list({})).movements.map(({ id }) => id);
        expect((await readAll({ limit })).map(({ id }) => id)).toEqual(all);
        expect(new Set(all).size).toBe(all.length);
      },
    );

    it('movements of another merchant or of the other mode are not listed (S9)', async () => {
      const own = new Set((await list({})).movements.map(({ id }) => id));
      expect(own.size).toBe(21);
      for (const owner of [live, other, { merchant_id: 'm3', mode: 'test' as const }]) {
        const { movements, totals } = await list({ ...owner, with_totals: true });
        expect(movements.filter(({ id }) => own.has(id))).toEqual([]);
        expect(movements).toHaveLength(owner.merchant_id === 'm3' ? 0 : 6);
        expect(totals).toHaveLength(owner.merchant_id === 'm3' ? 0 : 2);
      }
    });
  },
);

const KINDS = ['held', 'released', 'captured', 'refunded', 'returned', 'reversed', 'disputed'] as const;
const sum = (minors: readonly string[]) => minors.reduce((all, minor) => all + BigInt(minor), 0n);
const sumByName = (rows: readonly (readonly [currency: string, kind: string, minor: bigint])[]) => {
  const sums = new Map<string, bigint>();
  for (const [currency, kind, minor] of rows)
    sums.set(`${currency} ${kind}`, (sums.get(`${currency} ${kind}`) ?? 0n) + minor);
  return sums;
};
const sumOf = (rows: readonly Pick<Movement | MovementTotal, 'currency' | 'kind' | 'amount_minor'>[]) =>
  sumByName(rows.map(({ currency, kind, amount_minor }) => [currency, kind, BigInt(amount_minor)] as const));

/** The next day, so that a test that runs over midnight has one more. */
const findNextDay = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

it('pages read while payments are made and postings are added have what was there before once each (Q103)', async () => {
  const owner: Owner = { merchant_id: 'm-busy', mode: 'test' };
  await ledger.note(connection(owner));
  const { hold, answer } = openBooks(ledger);
  const [day = ''] = new Date().toISOString().split('T');
  const current: Asked = { ...owner, from: day, to: findNextDay(day), limit: 2 };
  const group = await hold({}, owner);
  await answer(group, 'capture', 'captured');
  const before = (await list({ ...current, limit: 100 })).movements.map(({ id }) => id);
  expect(before).toHaveLength(6);
  let turn = 0;
  const read = await readAll(current, async () => {
    turn += 1;
    if (turn % 2 === 0) await addAll();
    else await hold({ except: 2 }, owner);
  });
  expect(turn).toBe(2);
  expect(read.map(({ id }) => id)).toEqual(before);
});

it('replicas that add at the same time add each entry once (Q103)', async () => {
  await openBooks(ledger).hold({ except: 2 });
  const replicas = [ledger, await ledger.replica(), await ledger.replica()];
  await Promise.all(replicas.map(({ db }) => addPostings(db, 0).runOnce(AbortSignal.timeout(10_000))));
  await addAll();
  const entries = await ledger.count(
    'postings where amount_minor > 0 and id < (select end_id from movements_end)',
  );
  expect(await ledger.count('movements')).toBe(entries);
});

it('a statement of days that are over is final, and one of the current month is not (Q103)', async () => {
  const find = findStatement(ledger.db);
  expect((await find({ ...scope, ...PERIOD, skip: 0 })).is_final).toBe(true);
  expect((await find({ ...scope, skip: 0 })).is_final).toBe(false);
});

it('a page of movements reads those of its merchant and the newest postings, each from an index (Q103)', async () => {
  const asOwner = (sql: string) => ledger.database.asOwner('group_ledger', sql);
  await asOwner('begin');
  await asOwner(THOUSANDS);
  await asOwner('analyze groups, intents, postings, movements');
  const [end] = await ledger.database.asOwner<{ id: string }>(
    'group_ledger',
    `select uuidv7(interval '-10 minutes') as id`,
  );
  const bounds = [`'2026-01-01'`, `'2999-01-01'`, `'${end?.id}'::uuid`];
  const values = [`'m7'`, `'test'`, ...bounds, ...Array<string>(5).fill('null'), '21'];
  // The longest numbers first: $1 is the beginning of $11.
  const text = values.reduceRight(
    (sql, value, at) => sql.replaceAll(`$${at + 1}`, value),
    pageStatement.text,
  );
  const plan = JSON.stringify(await asOwner(`explain ${text}`));
  await asOwner('rollback');
  expect(plan).toContain('movements_have_one_row_per_entry');
  expect(plan).toContain('postings_have_one_row_per_id');
  expect(plan).not.toMatch(/Seq Scan on (?:postings|movements|groups|intents)/);
});
