import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BookedPayment } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { createOperator, eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import { reconcile } from '../src/app/reconciliation/reconcile.ts';
import { reconcileDaily } from '../src/app/reconciliation/reconcile-daily.ts';
import {
  beginReconciliation,
  findReconciliation,
  startReconciliation,
} from '../src/app/reconciliation/reconciliations.ts';
import type { PaymentRow } from '../src/db/reconciliation/reconciled-payments.ts';
import { answerAll, authorised, listOrders } from './gateway.ts';
import { heldGroup, paidGroup } from './groups.ts';
import { connection, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const { signal } = new AbortController();
let merchant = { merchant_id: 'm1', mode: scope.mode };
let merchants = 0;

// A merchant of each test's own: a run looks at everything a merchant has.
beforeEach(async () => {
  merchant = { merchant_id: `books-${(merchants += 1)}`, mode: scope.mode };
  await ledger.note(connection({ ...merchant, psp_code: 'gateway_a' }));
});

const money = (held: bigint, captured: bigint, refunded: bigint) => ({
  held_minor: `${held}`,
  captured_minor: `${captured}`,
  refunded_minor: `${refunded}`,
});

/** A gateway whose books say what our postings say, but for the attempts that are named. */
function gateway(other: Readonly<Record<string, Partial<BookedPayment>>> = {}) {
  const pages: string[][] = [];
  const readBooks = (_run: { readonly id: string }, rows: readonly PaymentRow[]) => {
    pages.push(rows.map((row) => row.attempt_id));
    return Promise.resolve(
      rows.map((row): BookedPayment => {
        const { attempt_id, held, captured, refunded, currency } = row;
        const same = { answer: 'found', money: money(held, captured, refunded), currency } as const;
        return { attempt_id, ...same, ...other[attempt_id] };
      }),
    );
  };
  return { pages, readBooks, other: other as Record<string, Partial<BookedPayment>> };
}

type Gateway = Pick<ReturnType<typeof gateway>, 'readBooks'>;
const buildLoop = ({ readBooks }: Gateway) =>
  reconcile({ ...ledger.parts, readBooks, settleSeconds: 0, leaseSeconds: 120 });

const { person: ann } = createOperator('ann', 'act');
const start = (wakeReconciliation = () => undefined as void) =>
  startReconciliation({ db: ledger.db, wakeReconciliation })({ ...merchant, psp_code: 'gateway_a' }, ann);

/** Begins a run and completes it; returns its report. */
async function compared(on: Gateway) {
  const { id } = await start();
  await workOff(id, on);
  return findReconciliation(ledger.db)({ id });
}

/** Works until the run is done; what is due this very millisecond is idle for another one. */
const workOff = (id: string, on: Gateway) =>
  eventually(async () => {
    await buildLoop(on).runOnce(signal);
    return (await findReconciliation(ledger.db)({ id })).run.state === 'done' || undefined;
  });

const openTasks = async () =>
  ledger.rows<{ code: string; key: string }>(
    'select code, key from operator_tasks where merchant_id = $1 and resolved_at is null order by code',
    [merchant.merchant_id],
  );

async function group(kind: typeof heldGroup | typeof paidGroup, o: { except?: number } = {}) {
  const { group: created, slots } = await ledger.newGroup({ ...merchant });
  const payers = [];
  for (const slot of slots.slice(0, slots.length - (o.except ?? 0))) {
    const email = `payer${slot.sequence_no}@example.com`;
    const reserved = await ledger.reserve(reserveRequest(created.id, email, [slot.id], merchant));
    await ledger.record({ ...authorised(reserved), ...merchant });
    payers.push(reserved);
  }
  if (kind === paidGroup) {
    const record = (outcome: Parameters<typeof ledger.record>[0]) =>
      ledger.record({ ...outcome, ...merchant });
    await answerAll({ ...ledger, record }, created.id, 'capture', 'captured');
  }
  return { id: created.id, payers };
}
const readAttemptId = (payer: { attempt: { id: string } | null } | undefined) => payer?.attempt?.id ?? '';

describe('books that agree', () => {
  it('books that agree are counted and summed, page by page, and leave nothing to do', async () => {
    for (let n = 0; n < 11; n += 1) await group(paidGroup);
    await group(heldGroup, { except: 1 });
    const gatewayA = gateway();
    const { run, differences } = await compared(gatewayA);
    expect(run).toMatchObject({
      state: 'done',
      requested_by: 'ann',
      payments: 35,
      agreed: 35,
      unanswered: 0,
    });
    expect(run).toMatchObject({ repaired: 0, pending: 0, raised: 0 });
    const sum = money(2_000n, 33_000n, 0n);
    expect(run.sums).toEqual({ EUR: { expected: sum, actual: sum } });
    expect(differences).toEqual([]);
    expect(gatewayA.pages.map((page) => page.length)).toEqual([30, 5]);
    expect(await openTasks()).toEqual([]);
  });

  it('a comparison asks for the results of orders that were sent and have none (F9)', async () => {
    const { id } = await group(heldGroup);
    const asked: (readonly string[])[] = [];
    const gatewayA = gateway();
    const readBooks: typeof gatewayA.readBooks = (run, rows) => {
      asked.push(...rows.map(({ awaited }) => awaited));
      return gatewayA.readBooks(run, rows);
    };
    await compared({ readBooks });
    const orders = (await listOrders(ledger, id, 'capture')).map(({ operation_id }) => operation_id);
    expect(orders).toHaveLength(3);
    expect(asked.flat().toSorted()).toEqual(orders.toSorted());
  });

  it('books are compared once, however often a comparison is requested while one is running', async () => {
    await group(paidGroup);
    const [a, b] = await Promise.all([start(), start()]);
    expect(a.id).toBe(b.id);
    expect((await compared(gateway())).run.id).toBe(a.id);
    expect((await start()).id).not.toBe(a.id);
    await compared(gateway());
  });

  it('two copies of the ledger share a run without counting anything twice', async () => {
    for (let n = 0; n < 25; n += 1) await ledger.newGroup({ ...merchant });
    await group(heldGroup);
    await start();
    const other = await ledger.replica();
    const gatewayA = gateway();
    const loops = [
      buildLoop(gatewayA),
      reconcile({ ...other.parts, ...gatewayA, settleSeconds: 0, leaseSeconds: 120 }),
    ];
    const { id } = await start();
    for (;;) {
      const passes = await Promise.all(loops.map((loop) => loop.runOnce(signal)));
      if (passes.every((pass) => pass !== 'busy')) break;
    }
    expect((await findReconciliation(ledger.db)({ id })).run).toMatchObject({ state: 'done', payments: 3 });
  });
});

describe('books that differ', () => {
  it('books that differ are repaired by the outcome that the adapter sends, and open an operator task (C6)', async () => {
    const { id, payers } = await group(heldGroup, { except: 1 });
    const [payer] = payers;
    const on = gateway({ [readAttemptId(payer)]: { money: money(0n, 1_000n, 0n) } });
    const capturedOutside = {
      ...authorised(payer!, { operation: 'capture', operation_id: null, source: 'external' }),
      ...merchant,
      status: 'captured' as const,
    };
    const readBooks: Gateway['readBooks'] = async (run, rows) => {
      // An adapter sends a finding by its outbox, a moment after it answered: here by the second query.
      if (on.pages.length > 0) await ledger.record(capturedOutside);
      return on.readBooks(run, rows);
    };
    const { run, differences } = await compared({ readBooks });
    expect(run).toMatchObject({ state: 'done', payments: 2, agreed: 1, repaired: 1, raised: 0 });
    expect(differences).toMatchObject([{ attempt_id: readAttemptId(payer), outcome: 'repaired' }]);
    expect(await ledger.readState(id)).toBe('partially_preauthorised');
    expect((await openTasks()).map(({ code }) => code)).toEqual(['captured_outside']);
  });

  it('books that differ count as repaired, too, when the outcome arrives before the page is judged', async () => {
    const { payers } = await group(heldGroup, { except: 1 });
    const attempt = readAttemptId(payers[0]);
    const on = gateway({ [attempt]: { money: money(0n, 0n, 0n) } });
    const readBooks: Gateway['readBooks'] = async (run, rows) => {
      const answers = await on.readBooks(run, rows);
      await ledger.record({
        ...authorised(payers[0]!, { status: 'lapsed', amount_minor: null }),
        ...merchant,
      });
      return answers;
    };
    const { run, differences } = await compared({ readBooks });
    expect(run).toMatchObject({ payments: 2, agreed: 1, repaired: 1 });
    expect(differences).toMatchObject([{ attempt_id: attempt, outcome: 'repaired' }]);
  });

  it('books that differ for no known reason open a task, are changed by nothing, and close it when they agree again', async () => {
    const { id, payers } = await group(paidGroup);
    const attempt = readAttemptId(payers[0]);
    const on = gateway({ [attempt]: { money: money(0n, 900n, 0n) } });
    const before = await ledger.rows('select * from postings where group_id = $1', [id]);
    const { run, differences } = await compared(on);
    expect(run).toMatchObject({ payments: 3, agreed: 2, repaired: 0, pending: 0, raised: 1 });
    const { EUR } = run.sums;
    expect([EUR?.expected.captured_minor, EUR?.actual.captured_minor]).toEqual(['3000', '2900']);
    const differing = { attempt_id: attempt, group_id: id, outcome: 'raised' };
    expect(differences).toMatchObject([{ ...differing, actual: money(0n, 900n, 0n) }]);
    expect(await ledger.rows('select * from postings where group_id = $1', [id])).toEqual(before);
    expect(await openTasks()).toEqual([{ code: 'books_differ', key: `books_differ:${attempt}` }]);

    expect((await compared(gateway())).run).toMatchObject({ agreed: 3, raised: 0 });
    expect(await openTasks()).toEqual([]);
    const [task] = await ledger.rows('select resolved_by from operator_tasks where key = $1', [
      `books_differ:${attempt}`,
    ]);
    expect(task).toEqual({ resolved_by: 'reconciliation' });
  });

  it('books are not judged while an order of ours is in flight, or the gateway gives no answer', async () => {
    const { payers } = await group(heldGroup);
    const [first, second] = payers.map(readAttemptId) as [string, string];
    const on = gateway({
      // The capture was done there, and its answer has not come.
      [first]: { money: money(0n, 1_000n, 0n) },
      [second]: { answer: 'unanswered', money: null, currency: null },
    });
    const { run } = await compared(on);
    expect(run).toMatchObject({ payments: 3, agreed: 1, unanswered: 1, pending: 1, raised: 0 });
    expect(await openTasks()).toEqual([]);
  });

  it('books that differ open a task when the gateway holds money of a payment that it had not known (C6)', async () => {
    const { payers } = await group(heldGroup, { except: 1 });
    const { group: created, slots } = await ledger.newGroup({ ...merchant });
    const late = await ledger.reserve(
      reserveRequest(created.id, 'late@example.com', [slots[0]?.id ?? ''], merchant),
    );
    const nothing = { status: 'absent', amount_minor: null, currency: null, capture_before: null } as const;
    await ledger.record({ ...authorised(late, nothing), ...merchant });
    const attempt = readAttemptId(late);
    const { run, differences } = await compared(gateway({ [attempt]: { money: money(1_000n, 0n, 0n) } }));
    expect(run).toMatchObject({ payments: payers.length + 1, agreed: payers.length, raised: 1 });
    expect(differences).toMatchObject([{ attempt_id: attempt, outcome: 'raised' }]);
  });

  it('books that differ open a task when the gateway does not know money that we booked', async () => {
    const { payers } = await group(paidGroup);
    const attempt = readAttemptId(payers[2]);
    const { run, differences } = await compared(
      gateway({ [attempt]: { answer: 'absent', money: null, currency: null } }),
    );
    expect(run.raised).toBe(1);
    expect(differences).toMatchObject([{ attempt_id: attempt, actual: null }]);
  });
});

describe('a run', () => {
  it('a run wakes the loop, which looks again while the run is open, and rests when none is', async () => {
    const on = gateway();
    // Other tests leave runs open.
    await ledger.db.pool.query(
      `update reconciliations set state = 'failed', finished_at = clock_timestamp() where finished_at is null`,
    );
    expect(await buildLoop(on).runOnce(signal)).toBe('empty');
    let wakes = 0;
    const { id } = await start(() => void (wakes += 1));
    expect(wakes).toBe(1);
    await ledger.db.pool.query(
      `update reconciliations set due_at = clock_timestamp() + interval '1 hour' where id = $1`,
      [id],
    );
    expect(await buildLoop(on).runOnce(signal)).toBe('idle');
    await ledger.db.pool.query(
      `update reconciliations set due_at = clock_timestamp() - interval '1 minute' where id = $1`,
      [id],
    );
    await workOff(id, on);
    expect(await buildLoop(on).runOnce(signal)).toBe('empty');
  });

  it('a run continues when the adapter comes back, and gives up when it does not', async () => {
    for (let n = 0; n < 11; n += 1) await ledger.newGroup({ ...merchant });
    await group(paidGroup);
    const { id } = await start();
    const away = () => Promise.reject(new AppError('service_unavailable'));
    const on = gateway();
    await buildLoop(on).runOnce(signal);
    const broken = buildLoop({ readBooks: away });
    await broken.runOnce(signal);
    // The page waits: nothing is due.
    expect(await broken.runOnce(signal)).toBe('idle');
    const due = () =>
      ledger.db.pool.query(
        `update reconciliations set due_at = clock_timestamp() - interval '1 minute' where id = $1`,
        [id],
      );
    await due();
    await workOff(id, on);
    expect((await findReconciliation(ledger.db)({ id })).run).toMatchObject({ state: 'done', payments: 3 });
    expect(on.pages.flat()).toHaveLength(3);

    const { id: second } = await start();
    for (let tries = 0; tries < 20; tries += 1) {
      await ledger.db.pool.query(
        `update reconciliations set due_at = clock_timestamp() - interval '1 minute' where id = $1`,
        [second],
      );
      await broken.runOnce(signal);
    }
    expect((await findReconciliation(ledger.db)({ id: second })).run).toMatchObject({ state: 'failed' });
  });

  it('a run is begun by a timer every day, once an account is connected', async () => {
    const account = { ...merchant, psp_code: 'gateway_a' as const };
    const timers = () =>
      ledger.rows<{ i: { revision: number; timer: { due_at: string; data: object } } }>(
        `select payload #> '{instructions,0}' as i from outbox where group_key = $1 order by position`,
        [`reconcile:test:gateway_a:${merchant.merchant_id}`],
      );
    await ledger.follow(connection({ ...account, revision: 2 }));
    const [first] = await timers();
    const inMs = Date.parse(first?.i.timer.due_at ?? '') - Date.now();
    expect(Math.abs(inMs - 24 * 3_600_000)).toBeLessThan(60_000);
    // Due on a day that a test clock has put far ahead of ours.
    const due = Date.now() + 8 * 24 * 3_600_000;
    const fired = {
      ...merchant,
      owner: 'ledger',
      key: 'reconcile',
      revision: 1,
      kind: 'reconcile',
      due_at: new Date(due).toISOString(),
      data: { psp_code: 'gateway_a' },
    } as const;
    const messageId = uuidv7();
    await reconcileDaily(ledger.parts)(fired, messageId);
    const [, second] = await timers();
    expect(Date.parse(second?.i.timer.due_at ?? '') - due).toBe(24 * 3_600_000);
    expect(second?.i.revision).toBeGreaterThan(first?.i.revision ?? NaN);
    expect((await compared(gateway())).run).toMatchObject({ requested_by: 'scheduler', state: 'done' });
    // The message comes a second time when the comparison is over (F9).
    await reconcileDaily(ledger.parts)(fired, messageId);
    expect(await timers()).toHaveLength(2);
    expect((await compared(gateway())).run).toMatchObject({ requested_by: 'ann' });
  });

  it('runs of several accounts are read at the same time, so that none waits for the gateway of another', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      merchant = { merchant_id: `books-beside-${n}`, mode: scope.mode };
      await ledger.note(connection({ ...merchant, psp_code: 'gateway_a' }));
      await group(paidGroup);
      ids.push((await start()).id);
    }
    const both = Promise.withResolvers<void>();
    const asked = new Set<string>();
    const on = gateway();
    const readBooks: Gateway['readBooks'] = async (run, rows) => {
      if (asked.add(run.id).size === 2) both.resolve();
      await both.promise;
      return on.readBooks(run, rows);
    };
    for (const id of ids) await workOff(id, { readBooks });
    expect([...asked].toSorted()).toEqual(ids.toSorted());
  });

  it('a run of an unknown id is a 404', async () => {
    await expect(findReconciliation(ledger.db)({ id: uuidv7() })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the run of a day', () => {
  it('the run of a day asks about young groups, changed ones, those that differed, and those that reached an age (Q108)', async () => {
    const [young, resting, changed, differing, aged] = await fiveGroups();
    const was = readAttemptId(differing.payers[0]);
    const wrong = gateway({ [was]: { money: money(0n, 999n, 0n) } });
    expect((await compared(wrong)).run).toMatchObject({ payments: 15, raised: 1 });
    await aDayPasses();
    await age(young, 2);
    for (const one of [resting, changed, differing]) await age(one, 10);
    await age(changed, 10, { changed: true });
    await age(aged, 15.5);
    const asked = await askedOfDay(wrong);
    expect(asked).toEqual(attemptsOf([young, changed, differing, aged]));
    // An operator's run has no such limits.
    expect((await compared(gateway())).run).toMatchObject({ requested_by: 'ann', payments: 15 });
  });

  it('the run of a day asks about everything that the run before had no answer for (Q108)', async () => {
    const resting = await group(paidGroup);
    await age(resting, 10);
    const [attempt] = attemptsOf([resting]);
    const silent = gateway({ [attempt ?? '']: { answer: 'unanswered', money: null, currency: null } });
    expect((await compared(silent)).run).toMatchObject({ state: 'done', unanswered: 1 });
    expect(await askedOfDay(gateway())).toEqual(attemptsOf([resting]));
    // That run had all answers.
    expect(await askedOfDay(gateway())).toEqual([]);
  });

  it('the run of a day walks over groups that are not due without asking (Q108)', async () => {
    const [resting, changed] = [await group(paidGroup), await group(paidGroup)];
    await compared(gateway());
    await aDayPasses();
    await age(resting, 20);
    await age(changed, 10, { changed: true });
    await copyUnpaid(2_500, resting);
    expect(await askedOfDay(gateway())).toEqual(attemptsOf([changed]));
  });

  type PaidGroup = Awaited<ReturnType<typeof group>>;

  async function fiveGroups(): Promise<[PaidGroup, PaidGroup, PaidGroup, PaidGroup, PaidGroup]> {
    const make = () => group(paidGroup);
    return [await make(), await make(), await make(), await make(), await make()];
  }

  const attemptsOf = (groups: readonly PaidGroup[]): string[] =>
    groups.flatMap(({ payers }) => payers.map(readAttemptId)).toSorted();

  /** Makes this many groups without a payment, right after a group. */
  async function copyUnpaid(count: number, { id }: PaidGroup): Promise<void> {
    const { group: unpaid } = await ledger.newGroup({ ...merchant });
    await ledger.db.pool.query(
      `with copies as (
         insert into groups select (jsonb_populate_record(g, jsonb_build_object(
           'id', gen_random_uuid(), 'page_token', repeat('x', 20) || n, 'merchant_order_id', 'walked-' || n,
           'created_at', at.created_at + make_interval(secs => n), 'updated_at', at.created_at))).*
         from groups g, groups at, generate_series(1, $2::integer) as n where g.id = $1 and at.id = $3
         returning id
       )
       insert into slots select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'group_id', copies.id))).*
       from copies, slots s where s.group_id = $1`,
      [unpaid.id, count, id],
    );
  }

  /** Makes a group so many days old; what happened to it lies as far back, unless it changed today. */
  const age = ({ id }: PaidGroup, days: number, o: { changed?: boolean } = {}) =>
    ledger.db.pool.query(
      `update groups set created_at = clock_timestamp() - make_interval(secs => $2::float8 * 86400),
         updated_at = clock_timestamp() - make_interval(secs => $3::float8 * 86400) where id = $1`,
      [id, days, o.changed ? 0 : days],
    );

  /** Dates the runs of this merchant a day back. */
  const aDayPasses = () =>
    ledger.db.pool.query(
      `update reconciliations set started_at = started_at - interval '1 day' where merchant_id = $1`,
      [merchant.merchant_id],
    );

  /** Completes the run of a day; returns the attempts that were asked about. */
  async function askedOfDay(on: ReturnType<typeof gateway>): Promise<string[]> {
    const before = on.pages.length;
    const id = await beginReconciliation(
      ledger.db,
      { merchantId: merchant.merchant_id, mode: merchant.mode, pspCode: 'gateway_a' },
      { requestedBy: 'scheduler', onlyDue: true },
    );
    await workOff(id, on);
    return [...new Set(on.pages.slice(before).flat())].toSorted();
  }
});
