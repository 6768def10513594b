import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Queryable } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { measureDrift } from '../src/app/reconciliation/measure-drift.ts';
import {
  findDifferingPayments,
  findHoldsWithoutGroup,
  findUnconfirmedVoids,
  findUnknownOutcomes,
} from '../src/db/reconciliation/drift.ts';
import { countUnfinishedGroups } from '../src/db/lookups/unfinished-groups.ts';
import { answerAll, answerTo, authorised, failure, listOrders } from './gateway.ts';
import { heldGroup } from './groups.ts';
import { dueTimer, reserveRequest, useLedger } from './harness.ts';

const ledger = useLedger();
// A figure may be half a minute old in a service; here it is always looked up.
beforeAll(() => measureDrift(ledger.db, 0, 0));

/** The value of one series as it is scraped now; undefined where it is not there. */
async function readMetric(
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const found = (await metrics.registry.getMetricsAsJSON()).find((metric) => metric.name === name);
  const values = (found?.values ?? []) as { value: number; labels: Record<string, unknown> }[];
  return values.find((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    ?.value;
}
const drift = (what: string) => readMetric(`gp_drift_${what}_payments`, { mode: 'test' });
const backdate = (table: string, column: string, where: string, ago: string) =>
  ledger.db.pool.query(
    `update ${table} set ${column} = clock_timestamp() - interval '${ago}' where ${where}`,
  );

/** A group that expired with two holds whose releases are ordered. */
async function expiredGroup(): Promise<string> {
  const { id } = await heldGroup(ledger, { except: 1 });
  await ledger.passExpiry(id);
  await ledger.fire(...dueTimer('group_expiry', id));
  return id;
}

describe('holds without a group', () => {
  it('holds without a group count when their release is not confirmed within a minute, and as unconfirmed after an hour', async () => {
    const id = await expiredGroup();
    expect([await drift('holds_without_group'), await drift('voids_unconfirmed')]).toEqual([0, 0]);
    await backdate('orders', 'requested_at', `group_id = '${id}'`, '2 minutes');
    expect([await drift('holds_without_group'), await drift('voids_unconfirmed')]).toEqual([2, 0]);
    await backdate('orders', 'requested_at', `group_id = '${id}'`, '61 minutes');
    expect([await drift('holds_without_group'), await drift('voids_unconfirmed')]).toEqual([2, 2]);
    await answerAll(ledger, id, 'void', 'voided');
    expect([await drift('holds_without_group'), await drift('voids_unconfirmed')]).toEqual([0, 0]);
  });

  it('holds without a group count at once when their release was never ordered, which only a fault or a manual change causes', async () => {
    const id = await expiredGroup();
    await answerAll(ledger, id, 'void', 'voided');
    const forget = (state: string) =>
      ledger.db.pool.query(
        `update intents set state = $2
         where id = (select id from intents where group_id = $1 order by id limit 1)`,
        [id, state],
      );
    await forget('preauthorised');
    expect(await drift('holds_without_group')).toBe(1);
    await forget('voided');
    expect(await drift('holds_without_group')).toBe(0);
  });
});

it('payments that differ from the gateway’s books count until their task is closed', async () => {
  await ledger.db.pool.query(
    `insert into operator_tasks (key, code, mode) values ('books_differ:1', 'books_differ', 'test')`,
  );
  expect(await drift('books_differ')).toBe(1);
  await ledger.db.pool.query(
    `update operator_tasks set resolved_at = clock_timestamp(), resolved_by = 'ann' where key = 'books_differ:1'`,
  );
  expect(await drift('books_differ')).toBe(0);
});

it('payments with an unknown outcome count by the operation they wait for, until it is known', async () => {
  const labels = { mode: 'test', psp_code: 'gateway_a' };
  const unknown = (operation: string) => readMetric('gp_unknown_outcome_payments', { ...labels, operation });
  const { id } = await heldGroup(ledger);
  await answerAll(ledger, id, 'capture', 'unknown');
  expect([await unknown('capture'), await unknown('authorise')]).toEqual([3, 0]);
  await answerAll(ledger, id, 'capture', 'captured');
  expect(await unknown('capture')).toBe(0);
});

it('groups that are not finished count by state, and leave when they are paid', async () => {
  const unfinished = async () => {
    const of = (state: string) => readMetric('gp_unfinished_groups', { mode: 'test', state });
    return [await of('open'), await of('capturing')] as [number, number];
  };
  const [open, capturing] = await unfinished();
  const { id } = await heldGroup(ledger);
  await ledger.newGroup();
  expect(await unfinished()).toEqual([open + 1, capturing + 1]);
  await answerAll(ledger, id, 'capture', 'captured');
  expect(await unfinished()).toEqual([open + 1, capturing]);
});

it('a group whose expiry captured what was held leaves the unfinished ones with its last capture, unless one failed (Q90)', async () => {
  const count = () => readMetric('gp_unfinished_groups', { mode: 'test', state: 'partially_paid' });
  const expire = async () => {
    const { id } = await heldGroup(ledger, { except: 1, capture_minimum: { slots: 2 } });
    await ledger.passExpiry(id);
    await ledger.fire(...dueTimer('group_expiry', id));
    const [first, second] = await listOrders(ledger, id, 'capture');
    await ledger.record(answerTo(first!, 'gateway_a', 'captured'));
    expect(await ledger.readState(id)).toBe('partially_paid');
    return second!;
  };
  const before = (await count()) ?? 0;
  const good = await expire();
  expect(await count()).toBe(before + 1);
  await ledger.record(answerTo(good, 'gateway_a', 'captured'));
  expect(await count()).toBe(before);
  await ledger.record(answerTo(await expire(), 'gateway_a', 'failed', { failure, amount_minor: null }));
  expect(await count()).toBe(before + 1);
});

it('transitions of groups and payments are counted, and the time from the last hold to a capture is measured', async () => {
  const group = (state: string) => readMetric('gp_group_transitions_total', { mode: 'test', state });
  const payment = (state: string) =>
    readMetric('gp_payment_transitions_total', { mode: 'test', psp_code: 'gateway_a', state });
  const captures = () => readMetric('gp_hold_to_capture_seconds', { psp_code: 'gateway_a', le: '+Inf' });
  const counted = async () =>
    [await group('open'), await group('paid'), await payment('captured'), await captures()].map(
      (n) => n ?? 0,
    );
  const before = await counted();
  const { id } = await heldGroup(ledger);
  expect(await captures()).toBe(before[3]);
  await answerAll(ledger, id, 'capture', 'captured');
  const after = await counted();
  expect(after.map((count, at) => count - before[at]!)).toEqual([1, 1, 3, 3]);
  expect(await group('cancelled')).toBe(0);
});

it('an outcome that is received again is counted as a duplicate (B3)', async () => {
  const seen = () => readMetric('gp_inbox_duplicates_total', { consumer: 'ledger-outcomes' });
  const { group, slots } = await ledger.newGroup();
  const outcome = authorised(await ledger.reserve(reserveRequest(group.id, 'a@example.com', [slots[0]!.id])));
  await ledger.record(outcome);
  const before = await seen();
  await ledger.record(outcome);
  expect(await seen()).toBe(before! + 1);
  expect(await listOrders(ledger, group.id, 'void')).toEqual([]);
});

it.each([
  findHoldsWithoutGroup,
  findUnconfirmedVoids,
  findDifferingPayments,
  findUnknownOutcomes,
  countUnfinishedGroups,
])('%p has an index for everything it reads', async (find) => {
  const asked: { text: string; values: unknown[] }[] = [];
  const query = async ({ text }: { text: string }, values: unknown[] = []) =>
    void asked.push({ text, values });
  await find({ query } as unknown as Queryable);
  const client = await ledger.db.pool.connect();
  try {
    // Small tables are scanned because it is cheaper: what is left then is what no index serves.
    await client.query('set enable_seqscan = off');
    for (const { text, values } of asked) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Seq Scan');
    }
    expect(asked).toHaveLength(1);
  } finally {
    await client.query('reset enable_seqscan');
    client.release();
  }
});
