import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import { MERCHANT } from '../books/leg-sums.ts';
import type { Booked, PaymentMoney } from '../../domain/index.ts';
import { moneyJson } from './money-json.ts';
import type { RunRow } from './reconciliations.ts';

/** One try of a payment, with the sums of our postings about it. */
export type PaymentRow = {
  readonly group_id: string;
  readonly group_at: Date;
  readonly intent_id: string;
  readonly attempt_id: string;
  readonly psp_reference: string | null;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly credential_version: number;
  readonly held: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  /** An order of ours, or the payer, may still change it. */
  readonly is_in_flight: boolean;
  /** Orders of ours that were sent and have no result yet. */
  readonly awaited: readonly string[];
};

// Postings are the ledger's books: what is held stands on group:held, what was captured is what reached the merchant
// and what of it went back. Indexes: attempts_of_a_group, postings_of_a_group, orders_of_a_group.
const PAYMENT = `select g.id as group_id, g.created_at as group_at, i.id as intent_id, a.id as attempt_id, a.psp_reference,
     i.amount_minor, g.currency, i.credential_version, p.held, p.captured + p.refunded as captured, p.refunded,
     a.state in ('started', 'unknown') or exists (
       select from orders o where o.group_id = g.id and o.attempt_id = a.id
         and o.state in ('started', 'waiting', 'unknown')) as is_in_flight,
     array(select o.operation_id::text from orders o where o.group_id = g.id and o.attempt_id = a.id
       and o.state in ('started', 'unknown')) as awaited
   from groups g join attempts a on a.group_id = g.id join intents i on i.id = a.intent_id
   cross join lateral (
     select coalesce(sum(amount_minor) filter (where account = 'group:held'), 0)::bigint as held,
            coalesce(sum(amount_minor) filter (where account in (${MERCHANT})), 0)::bigint as captured,
            coalesce(sum(amount_minor) filter (where account = 'payer:refunded'), 0)::bigint as refunded
     from postings where group_id = g.id and attempt_id = a.id
   ) p`;

// Index: groups_of_a_merchant, walked from the cursor on.
const page = statement<{ id: string; created_at: Date }>(
  'ledger.page-of-groups-to-reconcile',
  `select id, created_at from groups
   where merchant_id = $1 and mode = $2 and (created_at, id) > ($3, $4)
   order by created_at, id limit $5`,
);
const ofGroups = statement<PaymentRow>(
  'ledger.payments-of-groups',
  `${PAYMENT} where g.id = any($1::uuid[]) and i.psp_code = $2 order by a.id`,
);
const seen = statement<PaymentRow>(
  'ledger.payments-that-differed',
  `${PAYMENT} join reconciliation_differences d on d.attempt_id = a.id and d.group_id = g.id
   where d.run_id = $1 and d.outcome in ('seen', 'pending') and a.id > $2 order by a.id limit $3`,
);
const insertDifference = statement(
  'ledger.insert-difference',
  `insert into reconciliation_differences
     (run_id, attempt_id, group_id, intent_id, currency, expected, actual, outcome)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (run_id, attempt_id) do update
     set expected = excluded.expected, actual = excluded.actual, outcome = excluded.outcome`,
);
const list = statement<DifferenceRow>(
  'ledger.list-differences',
  `select * from reconciliation_differences where run_id = $1 order by attempt_id limit 1000`,
);
const resolveTasks = statement(
  'ledger.resolve-tasks-of-agreement',
  `update operator_tasks
   set resolved_at = clock_timestamp(), resolved_by = 'reconciliation', resolution = 'the books agree again'
   where key = any($1::text[]) and resolved_at is null`,
);

export type DifferenceRow = {
  readonly group_id: string;
  readonly intent_id: string;
  readonly attempt_id: string;
  readonly currency: string;
  readonly expected: ReturnType<typeof moneyJson>;
  readonly actual: ReturnType<typeof moneyJson> | null;
  readonly outcome: 'seen' | 'repaired' | 'pending' | 'raised';
};

/** The next groups of a run, oldest first. */
export async function listGroupsAfter(
  q: Queryable,
  run: RunRow,
  limit: number,
): Promise<{ id: string; created_at: Date }[]> {
  return q.query(page, [run.merchant_id, run.mode, run.cursor_at, run.cursor_id, limit]);
}

/** Every try to pay in these groups that a gateway may know of. */
export async function listPayments(
  q: Queryable,
  groupIds: readonly string[],
  pspCode: PspCode,
): Promise<PaymentRow[]> {
  return q.query(ofGroups, [groupIds, pspCode]);
}

/** Differences of this run that were not judged, a page of them. */
export async function listDiffering(
  q: Queryable,
  runId: string,
  afterAttemptId: string,
  limit: number,
): Promise<PaymentRow[]> {
  return q.query(seen, [runId, afterAttemptId, limit]);
}

export async function recordDifference(
  q: Queryable,
  o: { runId: string; row: PaymentRow; booked: Booked; outcome: DifferenceRow['outcome'] },
): Promise<void> {
  const { row, booked } = o;
  await q.query(insertDifference, [
    o.runId,
    row.attempt_id,
    row.group_id,
    row.intent_id,
    row.currency,
    JSON.stringify(moneyJson(sumExpected(row))),
    booked.answer === 'found' ? JSON.stringify(moneyJson(booked.money)) : null,
    o.outcome,
  ]);
}

export async function listDifferences(q: Queryable, runId: string): Promise<DifferenceRow[]> {
  return q.query(list, [runId]);
}

/** Ends the tasks of differences that are gone. */
export async function resolveDifferenceTasks(q: Queryable, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await q.query(resolveTasks, [keys]);
}

export function sumExpected(row: PaymentRow): PaymentMoney {
  return { heldMinor: row.held, capturedMinor: row.captured, refundedMinor: row.refunded };
}
