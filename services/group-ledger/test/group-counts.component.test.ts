import { beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { countGroups } from '../src/app/groups/count-groups.ts';
import { connection, digest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const busy = { ...scope, merchant_id: 'm-busy' };
const other = { ...busy, mode: 'live' as const };
const DAY_MS = 24 * 60 * 60 * 1_000;
const midnight = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
/** An instant of a day this many days ago, so many ms after midnight of UTC. */
const ago = (days: number, ms = 0) => new Date(midnight.getTime() - days * DAY_MS + ms).toISOString();

/** When groups were created, on both sides of each midnight, in no order. */
const CREATED = [
  ago(40),
  ago(40, 5),
  ago(9, DAY_MS - 1),
  ago(8),
  ago(8, 1),
  ago(3, 7_000),
  ago(3, 7_000),
  ago(0),
];
const ids: string[] = [];

/** Lets the loop do all that it has to do. */
async function countAll(db = ledger.db): Promise<void> {
  while ((await countGroups(db).runOnce(AbortSignal.timeout(20_000))) === 'busy');
}

const cancel = (id: string, owner = busy) =>
  ledger.cancel({
    ...owner,
    group_id: id,
    actor: 'operator',
    command_id: digest(uuidv7()),
    fingerprint: digest(id),
  });

const endDay = async () =>
  (await ledger.rows<{ end_day: Date }>('select end_day from group_counts_end'))[0]?.end_day;

const INSTANTS = [undefined, ago(40), ago(40, 1), ago(8), ago(8, 1), ago(3), ago(-2)];
const FILTERS = [undefined, 'open' as const, 'cancelled' as const].flatMap((state) =>
  INSTANTS.flatMap((created_after) =>
    INSTANTS.map((created_before) => ({
      ...(state && { state }),
      ...(created_after && { created_after }),
      ...(created_before && { created_before }),
    })),
  ),
);

/** Compares the numbers of lists by all filters with the groups that there are. */
async function expectRightTotals(): Promise<void> {
  const rows = await ledger.rows<{ mode: string; state: string; created_at: Date }>(
    'select mode, state, created_at from groups where merchant_id = $1',
    [busy.merchant_id],
  );
  for (const owner of [busy, other]) {
    const lists = FILTERS.map((filter) => ledger.list({ ...owner, limit: 1, offset: 0, ...filter }));
    const totals = (await Promise.all(lists)).map(({ total }) => total);
    const expected = FILTERS.map(
      ({ state, created_after, created_before }) =>
        rows.filter(
          (row) =>
            row.mode === owner.mode &&
            (state === undefined || row.state === state) &&
            (created_after === undefined || row.created_at >= new Date(created_after)) &&
            (created_before === undefined || row.created_at <= new Date(created_before)),
        ).length,
    );
    expect(totals).toEqual(expected);
  }
}

beforeAll(async () => {
  await ledger.note(connection(busy));
  await ledger.note(connection(other));
  for (const owner of [busy, other])
    for (const at of CREATED) {
      const { id } = (await ledger.newGroup(owner)).group;
      await ledger.rows('update groups set created_at = $2 where id = $1', [id, at]);
      if (owner === busy) ids.push(id);
    }
  await cancel(ids[3]!);
});

describe('the number of groups of a list', () => {
  it('the number is that of the groups before, while and after their days are counted (Q111)', async () => {
    await expectRightTotals();
    const replicas = [ledger, await ledger.replica(), await ledger.replica()];
    await countGroups(ledger.db).runOnce(AbortSignal.timeout(20_000));
    expect(await endDay()).toEqual(new Date(ago(39)));
    await expectRightTotals();
    await Promise.all(replicas.map(({ db }) => countAll(db)));
    await expectRightTotals();
  });

  it('a day that is over is read from its counts, and a day that ended less than 24 hours ago from its groups (Q111)', async () => {
    await countAll();
    const end = await endDay();
    expect([ago(1), ago(2)]).toContain(end?.toISOString());
    const { total } = await ledger.list({ ...busy, limit: 1, offset: 0 });
    await ledger.database.asOwner('group_ledger', 'begin; update group_counts set groups = groups + 100');
    await ledger.database.asOwner('group_ledger', 'commit');
    const counted = await ledger.list({ ...busy, limit: 1, offset: 0 });
    const since = await ledger.list({ ...busy, limit: 1, offset: 0, created_after: end!.toISOString() });
    await ledger.database.asOwner('group_ledger', 'update group_counts set groups = groups - 100');
    // Two states on one of four days.
    expect(counted.total - total).toBe(500);
    expect(since.total).toBe(1);
  });

  it('a group that changes its state after its day was counted is counted in its new state at once and later (Q111)', async () => {
    await countAll();
    await cancel(ids[0]!);
    await cancel(ids[5]!);
    await cancel(ids.at(-1)!);
    // The youngest is in no count.
    expect(await ledger.count('group_count_changes')).toBe(2);
    await expectRightTotals();
    await countAll();
    expect(await ledger.count('group_count_changes')).toBe(0);
    await expectRightTotals();
  });

  it('a change whose transaction is open while its day is counted is in the number after its commit (Q111)', async () => {
    await ledger.database.asOwner(
      'group_ledger',
      `truncate group_counts, group_count_changes; update group_counts_end set end_day = '-infinity'`,
    );
    const change = (state: string, at: string) =>
      `update group_ledger.groups set state = '${state}', cancelled_at = ${at} where id = '${ids[4]}'`;
    await ledger.database.asOwner('group_ledger', `begin; ${change('cancelled', 'now()')}`);
    await countAll();
    const cancelled = () => ledger.list({ ...busy, limit: 1, offset: 0, state: 'cancelled' });
    const before = (await cancelled()).total;
    await ledger.database.asOwner('group_ledger', 'commit');
    expect((await cancelled()).total).toBe(before + 1);
    await ledger.database.asOwner('group_ledger', change('open', 'null'));
    await expectRightTotals();
    await countAll();
    await expectRightTotals();
  });
});
