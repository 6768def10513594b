import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MoneyMovements, MoneyStatement } from '@gp/contracts';
import { addPostings } from '../src/app/books/add-postings.ts';
import { findBalance, findStatement } from '../src/app/books/money.ts';
import { sumGroups } from '../src/app/groups/look-up-groups.ts';
import { connection, digest, scope, useLedger } from './harness.ts';
import { openBooks, type Owner } from './money-books.ts';

const ledger = useLedger();
const live: Owner = { ...scope, mode: 'live' };
const other: Owner = { merchant_id: 'm2', mode: 'test' };
const failure = { code: 'taken_back', message: 'taken back', retryable: false };

const balances = async (owner: Owner = scope) => (await findBalance(ledger.db)(owner)).balances;
const statements = async (from: string, to: string, o: { time_zone?: string; owner?: Owner } = {}) => {
  const { time_zone = 'UTC', owner = scope } = o;
  return (await findStatement(ledger.db)({ ...owner, from, to, time_zone, skip: 0 })).statements;
};
const find = (all: readonly MoneyStatement[], currency: string, psp_code = 'gateway_a') =>
  all.find((each) => each.currency === currency && each.psp_code === psp_code);
/** Adds to the sums what was posted so far. */
const addAll = (db = ledger.db) => addPostings(db, 0).runOnce(AbortSignal.timeout(10_000));

const movements = (o: Partial<MoneyMovements> = {}): MoneyMovements => ({
  held_minor: '0',
  released_minor: '0',
  captured_minor: '0',
  refunded_minor: '0',
  returned_minor: '0',
  reversed_minor: '0',
  disputed_minor: '0',
  ...o,
});
const standing = (on_hold_minor: string, net_minor: string) => ({
  on_hold_minor,
  net_minor,
  tips_minor: '0',
});

/** The groups of each owner. */
const groups: Awaited<ReturnType<ReturnType<typeof openBooks>['hold']>>[] = [];

beforeAll(async () => {
  const { at, hold, answer, report } = openBooks(ledger);
  await ledger.note(connection(live));
  await ledger.note(connection(other));
  const dinner = await at('2026-01-10T23:30:00Z', () => hold());
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
    await ledger.cancel({
      ...scope,
      group_id: yen.id,
      command_id: digest('cancel'),
      fingerprint: digest('cancel'),
      actor: 'kim',
    });
    await answer(yen, 'void', 'voided');
  });
  const dinar = await at('2026-02-10T10:00:00Z', () => hold({ currency: 'BHD', total_minor: '9030' }));
  await at('2026-02-11T10:00:00Z', () => answer(dinar, 'capture', 'captured'));
  groups.push(dinner, yen, dinar);
  for (const owner of [live, other]) {
    const group = await at('2026-01-11T10:00:00Z', () => hold({ total_minor: '7770' }, owner));
    await at('2026-01-12T10:00:00Z', () => answer(group, 'capture', 'captured'));
    groups.push(group);
  }
  // The last gateway that was connected takes the next payments.
  await ledger.note(connection({ psp_code: 'gateway_b', revision: 2 }));
  groups.push(await at('2026-02-20T10:00:00Z', () => hold({ total_minor: '3000', except: 1 })));
});

/** What each test of figures checks, first on postings alone and then on their sums. */
describe.each(['postings that were not added to the sums', 'the sums of postings'])(
  'read from %s',
  (from) => {
    beforeAll(async () => {
      if (from.startsWith('the')) await addAll();
      expect(await ledger.count('posting_sums')).toBe(from.startsWith('the') ? 14 : 0);
    });

    it('a month’s statement has each day’s movements, and adds up from its opening to its closing balance (Q47)', async () => {
      const january = await statements('2026-01-01', '2026-01-31');
      expect(find(january, 'EUR')).toEqual({
        psp_code: 'gateway_a',
        currency: 'EUR',
        opening: standing('0', '0'),
        movements: movements({
          held_minor: '3000',
          captured_minor: '3000',
          refunded_minor: '400',
          returned_minor: '150',
          reversed_minor: '1000',
          disputed_minor: '1000',
        }),
        closing: standing('0', '1750'),
        days: [
          { day: '2026-01-10', ...movements({ held_minor: '3000' }), ...standing('3000', '0') },
          { day: '2026-01-11', ...movements({ captured_minor: '3000' }), ...standing('0', '3000') },
          {
            day: '2026-01-12',
            ...movements({ refunded_minor: '400', disputed_minor: '1000' }),
            ...standing('0', '2600'),
          },
          { day: '2026-01-13', ...movements({ returned_minor: '150' }), ...standing('0', '2750') },
          { day: '2026-01-20', ...movements({ reversed_minor: '1000' }), ...standing('0', '1750') },
        ],
      });
      expect(january.map(({ psp_code, currency }) => [psp_code, currency])).toEqual([
        ['gateway_a', 'EUR'],
        ['gateway_a', 'JPY'],
      ]);
    });

    it('a month opens where the one before closed, with what is on hold over its end (Q47)', async () => {
      const [january, february] = [
        await statements('2026-01-01', '2026-01-31'),
        await statements('2026-02-01', '2026-02-28'),
      ];
      for (const before of january) expect(find(february, before.currency)?.opening).toEqual(before.closing);
      expect(find(february, 'JPY')).toMatchObject({
        opening: standing('4000', '0'),
        movements: movements({ released_minor: '4000' }),
        closing: standing('0', '0'),
        days: [{ day: '2026-02-03' }],
      });
      expect(find(february, 'BHD')).toMatchObject({
        opening: standing('0', '0'),
        closing: standing('0', '9030'),
      });
      expect(find(february, 'EUR', 'gateway_b')).toMatchObject({ closing: standing('2000', '0') });
    });

    it('a posting belongs to the day that it was on in the time zone of the statement (Q48)', async () => {
      const madrid = await statements('2026-01-01', '2026-01-31', { time_zone: 'Europe/Madrid' });
      expect(find(madrid, 'EUR')?.days.map(({ day }) => day)).toEqual([
        '2026-01-11',
        '2026-01-12',
        '2026-01-13',
        '2026-01-21',
      ]);
      expect(find(madrid, 'EUR')?.days[0]).toMatchObject({ held_minor: '3000', captured_minor: '3000' });
      expect(find(madrid, 'JPY')).toBeUndefined();
      const kathmandu = await statements('2026-02-01', '2026-02-01', { time_zone: 'Asia/Kathmandu' });
      expect(find(kathmandu, 'JPY')?.days).toMatchObject([{ day: '2026-02-01', held_minor: '4000' }]);
    });

    it('the balance of each gateway and currency has everything that was ever posted (Q46)', async () => {
      expect(await balances()).toEqual([
        {
          psp_code: 'gateway_a',
          currency: 'BHD',
          ...standing('0', '9030'),
          movements: movements({ held_minor: '9030', captured_minor: '9030' }),
        },
        {
          psp_code: 'gateway_a',
          currency: 'EUR',
          ...standing('0', '1750'),
          movements: movements({
            held_minor: '3000',
            captured_minor: '3000',
            refunded_minor: '400',
            returned_minor: '150',
            reversed_minor: '1000',
            disputed_minor: '1000',
          }),
        },
        {
          psp_code: 'gateway_a',
          currency: 'JPY',
          ...standing('0', '0'),
          movements: movements({ held_minor: '4000', released_minor: '4000' }),
        },
        {
          psp_code: 'gateway_b',
          currency: 'EUR',
          ...standing('2000', '0'),
          movements: movements({ held_minor: '2000' }),
        },
      ]);
    });

    it('another merchant and the other mode have balances and statements of their own (S9, Q46)', async () => {
      for (const owner of [live, other]) {
        expect(await balances(owner)).toMatchObject([{ currency: 'EUR', ...standing('0', '7770') }]);
        expect(await statements('2026-01-01', '2026-01-31', { owner })).toMatchObject([
          { opening: standing('0', '0'), closing: standing('0', '7770') },
        ]);
      }
      expect(await balances({ merchant_id: 'm2', mode: 'live' })).toEqual([]);
      expect(
        await statements('2026-01-01', '2026-01-31', { owner: { merchant_id: 'm3', mode: 'test' } }),
      ).toEqual([]);
    });

    it('balances are the sums of the amounts of the group payments and their payments (Q46)', async () => {
      const { listPayments } = openBooks(ledger);
      for (const owner of [scope, live, other]) {
        const own = groups.filter(
          (group) => group.owner.merchant_id === owner.merchant_id && group.owner.mode === owner.mode,
        );
        const group_ids = own.map(({ id }) => id);
        const { sums } = await sumGroups(ledger.db)({ ...owner, group_ids });
        const payments = (await Promise.all(group_ids.map((id) => listPayments(id, owner)))).flat();
        const total = <T>(rows: readonly T[], read: (row: T) => string) =>
          rows.reduce((sum, row) => sum + BigInt(read(row)), 0n);
        const all = await balances(owner);
        expect(total(all, (each) => each.on_hold_minor)).toBe(total(sums, (each) => each.held_minor));
        expect(total(all, (each) => each.net_minor)).toBe(total(sums, (each) => each.captured_minor));
        expect(
          total(all, ({ movements: m }) => String(BigInt(m.refunded_minor) - BigInt(m.returned_minor))),
        ).toBe(total(sums, (each) => each.refunded_minor));
        expect(
          total(all, ({ movements: m }) => String(BigInt(m.captured_minor) - BigInt(m.reversed_minor))),
        ).toBe(total(payments, (each) => each.captured_minor));
        expect(total(all, (each) => each.movements.disputed_minor)).toBe(
          total(
            payments.filter(({ disputed }) => disputed),
            (each) => String(BigInt(each.captured_minor) - BigInt(each.refunded_minor)),
          ),
        );
      }
    });
  },
);

it('a dispute that ended without a loss is in no balance and no statement (E11, Q46)', async () => {
  await openBooks(ledger).report(groups[0]?.payers[1], { operation: 'dispute', status: 'undisputed' });
  expect((await balances()).map(({ movements: m }) => m.disputed_minor)).toEqual(['0', '0', '0', '0']);
  expect(find(await statements('2026-01-12', '2026-01-12'), 'EUR')?.days).toMatchObject([
    { refunded_minor: '400' },
  ]);
});
