import type { PspCode } from '@gp/gateway-registry';
import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type RunScope = { readonly merchantId: string; readonly mode: Mode; readonly pspCode: PspCode };

/** Money as JSON holds it: a bigint is text there. */
export type MoneyJson = { readonly held: string; readonly captured: string; readonly refunded: string };
export type SumsJson = Readonly<Record<string, { readonly expected: MoneyJson; readonly actual: MoneyJson }>>;

export type RunRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly psp_code: PspCode;
  readonly state: 'reading' | 'settling' | 'done' | 'failed';
  readonly requested_by: string;
  /** The last run that covered everything due by then; null where this one looks at all payments. */
  readonly previous_id: string | null;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly cursor_at: Date;
  readonly cursor_id: string;
  readonly looks: number;
  readonly failures: number;
  readonly due_at: Date;
  readonly payments: number;
  readonly agreed: number;
  readonly unanswered: number;
  readonly sums: SumsJson;
};

export type ReportRow = RunRow & {
  readonly repaired: number;
  readonly pending: number;
  readonly raised: number;
};

const ZERO = '00000000-0000-0000-0000-000000000000';

// One open run per merchant, mode and gateway: reconciliations_one_at_a_time decides between two processes that begin one.
// Index: reconciliations_of_an_account.
const insert = statement(
  'ledger.insert-reconciliation',
  `insert into reconciliations (id, merchant_id, mode, psp_code, state, requested_by, cursor_at, cursor_id, previous_id)
   values ($1, $2, $3, $4, 'reading', $5, clock_timestamp() - make_interval(days => $6), '${ZERO}',
     (select id from reconciliations
      where $7 and merchant_id = $2 and mode = $3 and psp_code = $4 and state = 'done' and unanswered = 0
      order by started_at desc limit 1))
   on conflict (merchant_id, mode, psp_code) where finished_at is null do nothing`,
);
const findOpen = statement<{ id: string }>(
  'ledger.find-open-reconciliation',
  `select id from reconciliations
   where merchant_id = $1 and mode = $2 and psp_code = $3 and finished_at is null`,
);
// The row is not locked during the gateway's read: moving due_at ahead keeps other processes away until this one has
// surely ended.
const claim = statement<RunRow>(
  'ledger.claim-reconciliation',
  `update reconciliations r set due_at = clock_timestamp() + make_interval(secs => $1)
   from (select id from reconciliations where finished_at is null and due_at <= clock_timestamp()
         order by due_at limit $2 for update skip locked) due
   where r.id = due.id
   returning r.*`,
);
// Index: reconciliations_due.
const findAnyOpen = statement<{ is_open: boolean }>(
  'ledger.find-any-open-reconciliation',
  'select exists (select from reconciliations where finished_at is null) as is_open',
);
// Written only by the process that claimed it: a claim that ran out has another due_at.
const advance = statement<{ id: string }>(
  'ledger.advance-reconciliation',
  `update reconciliations
   set state = $3, cursor_at = $4, cursor_id = $5, looks = $6, failures = $7, payments = $8, agreed = $9,
       unanswered = $10, sums = $11, due_at = date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => $12),
       finished_at = case when $3 in ('done', 'failed') then clock_timestamp() end
   where id = $1 and due_at = $2 and finished_at is null
   returning id`,
);
const REPORT = `select r.*, d.* from reconciliations r cross join lateral (
    select count(*) filter (where outcome = 'repaired')::integer as repaired,
           count(*) filter (where outcome in ('pending', 'seen'))::integer as pending,
           count(*) filter (where outcome = 'raised')::integer as raised
    from reconciliation_differences where run_id = r.id
  ) d`;
const find = statement<ReportRow>('ledger.find-reconciliation', `${REPORT} where r.id = $1`);
const list = statement<ReportRow>(
  'ledger.list-reconciliations',
  `${REPORT} where ($1::text is null or r.merchant_id = $1) and ($2::text is null or r.mode = $2)
   order by r.started_at desc, r.id limit $3`,
);

/**
 * Begins a run for groups of the last `days`, unless one is under way; returns the id of the one that is. With `onlyDue` it
 * leaves out what the last run that answered everything makes needless (`listDueAfter`).
 */
export async function beginRun(
  q: Queryable,
  { merchantId, mode, pspCode }: RunScope,
  o: { id: string; requestedBy: string; days: number; onlyDue: boolean },
): Promise<string> {
  const scope = [merchantId, mode, pspCode];
  await q.query(insert, [o.id, ...scope, o.requestedBy, o.days, o.onlyDue]);
  const [open] = await q.query(findOpen, scope);
  return open?.id ?? o.id;
}

/** Takes the runs that are due first, `limit` at most, for this long. */
export async function claimRuns(q: Queryable, leaseSeconds: number, limit: number): Promise<RunRow[]> {
  return q.query(claim, [leaseSeconds, limit]);
}

/** Whether any run is open, be its next page due later. */
export async function isAnyRunOpen(q: Queryable): Promise<boolean> {
  return (await q.query(findAnyOpen))[0]?.is_open === true;
}

/** Writes the progress of a claimed run and when it continues; returns false when another process has claimed it. */
export async function advanceRun(q: Queryable, run: RunRow, pauseSeconds: number): Promise<boolean> {
  const rows = await q.query(advance, [
    run.id,
    run.due_at,
    run.state,
    run.cursor_at,
    run.cursor_id,
    run.looks,
    run.failures,
    run.payments,
    run.agreed,
    run.unanswered,
    JSON.stringify(run.sums),
    pauseSeconds,
  ]);
  return rows.length > 0;
}

export async function findRun(q: Queryable, id: string): Promise<ReportRow | undefined> {
  return (await q.query(find, [id]))[0];
}

/** Newest first. */
export async function listRuns(
  q: Queryable,
  o: { merchantId: string | null; mode: Mode | null; limit: number },
): Promise<ReportRow[]> {
  return q.query(list, [o.merchantId, o.mode, o.limit]);
}
