import { pspCodes } from '@gp/gateway-registry';
import type { BookedPayment } from '@gp/contracts';
import { raiseTask } from '@gp/outbox';
import type { Db, Queryable } from '@gp/pg';
import type { Loop } from '@gp/service';
import { metrics, span, type Logger } from '@gp/telemetry';
import { moneyFromJson, moneyJson } from '../../db/reconciliation/money-json.ts';
import {
  sumExpected,
  listDiffering,
  listDueAfter,
  listPayments,
  recordDifference,
  resolveDifferenceTasks,
  type DifferenceRow,
  type PaymentRow,
} from '../../db/reconciliation/reconciled-payments.ts';
import {
  advanceRun,
  claimRuns,
  isAnyRunOpen,
  type RunRow,
  type SumsJson,
} from '../../db/reconciliation/reconciliations.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { addMoney, compareBooks, nothing, type Booked } from '../../domain/index.ts';

/** Groups of a page: with a payer a slot that is 300 questions at most, a quarter of a minute of an account's budget. */
const GROUPS = 10;
/** Each is of another account, and waits for that account's budget of calls. */
const RUNS_AT_ONCE = 8;
/** Time for an adapter's report to arrive here, and for the outcome of an order in flight. */
const LOOKS = 3;
/** With pauses that grow from a minute, these tries cover about two hours of a gateway's absence. */
const MAX_FAILURES = 7;
const IDLE_MS = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

const judged = metrics.counter({
  name: 'gp_reconciliation_payments_total',
  help: 'Payments compared with the gateway books, by gateway and verdict',
  unit: 'payments',
  labels: ['psp_code', 'verdict'],
  zero: pspCodes.flatMap((psp_code) =>
    ['agrees', 'repaired', 'differs', 'unanswered'].map((verdict) => ({ psp_code, verdict })),
  ),
});

export type ReconcileParts = {
  readonly db: Db;
  readonly log: Logger;
  /** Reads these payments at the run's gateway; rejects when its adapter cannot be reached. */
  readonly readBooks: (run: RunRow, payments: readonly PaymentRow[]) => Promise<readonly BookedPayment[]>;
  /** Pause before payments that differed are read again, s. */
  readonly settleSeconds: number;
  /** How long a claimed page is not claimed by another process, s. */
  readonly leaseSeconds: number;
};

/**
 * Runs comparisons of our postings with the gateways' books, a page a pass: first all payments, then, after a
 * pause, those that differed. Nothing is changed from here: what an adapter finds in its query reaches the ledger as
 * any outcome does, and a payment that still differs becomes a task.
 */
export function reconcile(parts: ReconcileParts): Loop & { wake(): void } {
  let wake = (): void => undefined;
  return {
    name: 'reconcile',
    idleMs: IDLE_MS,
    onWake: (given) => (wake = given),
    wake: () => wake(),
    async runOnce() {
      const runs = await claimRuns(parts.db, parts.leaseSeconds, RUNS_AT_ONCE);
      if (runs.length === 0) return (await isAnyRunOpen(parts.db)) ? 'idle' : 'empty';
      await Promise.all(runs.map((run) => takeStep(parts, run)));
      return 'busy';
    },
  };
}

function takeStep(parts: ReconcileParts, run: RunRow): Promise<void> {
  const attributes = { psp_code: run.psp_code, merchant_id: run.merchant_id, mode: run.mode };
  return span('reconcile page', { kind: 'internal', attributes, root: true }, () =>
    (run.state === 'reading' ? readPage(parts, run) : lookAgain(parts, run)).catch((error: unknown) =>
      pauseAfter(parts, run, error),
    ),
  );
}

type Looked = { readonly row: PaymentRow; readonly booked: Booked };

async function readPage(parts: ReconcileParts, run: RunRow): Promise<void> {
  const { due, next: place } = await listDueAfter(parts.db, run, GROUPS);
  if (!place) {
    const settling = { ...run, state: 'settling', cursor_id: FIRST } as const;
    return void (await advanceRun(parts.db, settling, parts.settleSeconds));
  }
  const find = (): Promise<PaymentRow[]> =>
    listPayments(
      parts.db,
      due.map(({ id }) => id),
      run.psp_code,
    );
  const before = await find();
  const asked = await parts.readBooks(run, before);
  const looked = pairWithBooks(await find(), asked);
  const wasWrong = wrongBefore(before, asked);
  const of = (comparison: Comparison): Looked[] =>
    looked.filter((one) => judgeRead(one, wasWrong) === comparison);
  const [agreeing, repaired, differing] = [of('agrees'), of('repaired'), of('differs')];
  const next: RunRow = {
    ...run,
    failures: 0,
    cursor_at: place.created_at,
    cursor_id: place.id,
    payments: run.payments + looked.length,
    agreed: run.agreed + agreeing.length,
    unanswered: run.unanswered + of('unanswered').length,
    sums: withSums(run.sums, looked),
  };
  failBefore('reconcile');
  await parts.db.transaction(async (tx) => {
    if (!(await advanceRun(tx, next, 0))) return;
    for (const one of repaired) await recordDifference(tx, { runId: run.id, ...one, outcome: 'repaired' });
    for (const one of differing) await recordDifference(tx, { runId: run.id, ...one, outcome: 'seen' });
    await resolveDifferenceTasks(tx, [...agreeing, ...repaired].map(buildTaskKey));
  });
  failAfter('reconcile');
  for (const one of looked) judged.inc({ psp_code: run.psp_code, verdict: judgeRead(one, wasWrong) });
}

type Comparison = ReturnType<typeof compareWithBooks> | 'repaired';

/** Repaired already: it differed when the gateway was read, no order of ours explains it, and now it agrees. */
function judgeRead(one: Looked, wasWrong: ReadonlySet<string>): Comparison {
  const comparison = compareWithBooks(one);
  return comparison === 'agrees' && wasWrong.has(one.row.attempt_id) ? 'repaired' : comparison;
}

function wrongBefore(before: readonly PaymentRow[], asked: readonly BookedPayment[]): ReadonlySet<string> {
  const wrong = pairWithBooks(before, asked).filter(
    (one) => compareWithBooks(one) === 'differs' && !one.row.is_in_flight,
  );
  return new Set(wrong.map(({ row }) => row.attempt_id));
}

async function lookAgain(parts: ReconcileParts, run: RunRow): Promise<void> {
  const find = (): Promise<PaymentRow[]> => listDiffering(parts.db, run.id, run.cursor_id, GROUPS * 2);
  const rows = await find();
  const last = rows.at(-1);
  if (!last) return endLook(parts, run);
  const asked = await parts.readBooks(run, rows);
  const looked = pairWithBooks(await find(), asked);
  await parts.db.transaction(async (tx) => {
    if (!(await advanceRun(tx, { ...run, failures: 0, cursor_id: last.attempt_id }, 0))) return;
    for (const one of looked) await judge(tx, run, one);
  });
}

/** After the last look the report is final. */
async function endLook({ db, log, settleSeconds }: ReconcileParts, run: RunRow): Promise<void> {
  const looks = run.looks + 1;
  const isLast = looks === LOOKS || (await listDiffering(db, run.id, FIRST, 1)).length === 0;
  const next = { ...run, looks, cursor_id: FIRST, state: isLast ? 'done' : 'settling' } as const;
  if (!(await advanceRun(db, next, settleSeconds)) || !isLast) return;
  const { psp_code, merchant_id, mode } = run;
  log.info({ psp_code, merchant_id, mode, count: run.payments }, 'reconciliation is done');
}

async function judge(tx: Queryable, run: RunRow, one: Looked): Promise<void> {
  const comparison = compareWithBooks(one);
  const isLast = run.looks === LOOKS - 1;
  let outcome: DifferenceRow['outcome'] = 'seen';
  if (comparison === 'agrees') outcome = 'repaired';
  else if (isLast) outcome = comparison === 'unanswered' || one.row.is_in_flight ? 'pending' : 'raised';
  await recordDifference(tx, { runId: run.id, ...one, outcome });
  if (outcome === 'repaired') await resolveDifferenceTasks(tx, [buildTaskKey(one)]);
  if (outcome === 'raised') await raiseDifference(tx, run, one);
}

function raiseDifference(tx: Queryable, run: RunRow, one: Looked): Promise<void> {
  const { row, booked } = one;
  return raiseTask(tx, {
    key: buildTaskKey(one),
    code: 'books_differ',
    merchantId: run.merchant_id,
    mode: run.mode,
    groupId: row.group_id,
    intentId: row.intent_id,
    details: {
      psp_code: run.psp_code,
      psp_reference: row.psp_reference,
      currency: row.currency,
      expected: moneyJson(sumExpected(row)),
      actual: booked.answer === 'found' ? moneyJson(booked.money) : booked.answer,
      run_id: run.id,
    },
  });
}

/** The gateway's adapter is away: the page is tried again, later each time, and in the end left to the next day's run. */
async function pauseAfter({ db, log }: ReconcileParts, run: RunRow, error: unknown): Promise<void> {
  const failures = run.failures + 1;
  const { psp_code, merchant_id, mode } = run;
  log.warn({ psp_code, merchant_id, mode, err: error }, 'a page could not be reconciled');
  const state = failures > MAX_FAILURES ? 'failed' : run.state;
  await advanceRun(db, { ...run, failures, state }, 60 * 2 ** (failures - 1));
}

function pairWithBooks(rows: readonly PaymentRow[], asked: readonly BookedPayment[]): Looked[] {
  const answers = new Map(asked.map((answer) => [answer.attempt_id, answer]));
  return rows.flatMap((row) => {
    const answer = answers.get(row.attempt_id);
    return answer ? [{ row, booked: toBooked(answer) }] : [];
  });
}

function toBooked({ answer, money, currency }: BookedPayment): Booked {
  if (answer !== 'found' || money === null || currency === null)
    return { answer: answer === 'absent' ? 'absent' : 'unanswered' };
  const { held_minor: held, captured_minor: captured, refunded_minor: refunded } = money;
  return { answer, currency, money: moneyFromJson({ held, captured, refunded }) };
}

function compareWithBooks({ row, booked }: Looked) {
  return compareBooks({ expected: sumExpected(row), currency: row.currency }, booked);
}

/** A payment without an answer is in neither sum. */
function withSums(sums: SumsJson, looked: readonly Looked[]): SumsJson {
  const next = { ...sums };
  for (const { row, booked } of looked) {
    if (booked.answer === 'unanswered') continue;
    const before = next[row.currency];
    const actual = booked.answer === 'found' ? booked.money : nothing;
    next[row.currency] = {
      expected: moneyJson(addMoney(before ? moneyFromJson(before.expected) : nothing, sumExpected(row))),
      actual: moneyJson(addMoney(before ? moneyFromJson(before.actual) : nothing, actual)),
    };
  }
  return next;
}

const buildTaskKey = ({ row }: Looked): string => `books_differ:${row.attempt_id}`;
