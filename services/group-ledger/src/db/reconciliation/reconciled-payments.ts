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

/** Groups younger than this are due in each run. */
const YOUNG_DAYS = 8;
/** An older group is due in the first run after each of these ages. */
const AGES_DAYS = [15, 30, 45, 60, 75, 90, 105];
/** A decision is dated when its group was read, and may be stored this much later. */
const SAVED_WITHIN = '1 minute';
/** Groups that one statement walks over at most to find those that are due. */
const WALK = 2_000;

// Index: groups_of_a_merchant, walked from the cursor on. Returns those that are due and the last one walked over.
const page = statement<PlaceRow>(
  'ledger.page-of-groups-to-reconcile',
  `with previous as (select id, started_at from reconciliations where id = $6),
   walked as (
     select g.id, g.created_at, previous.id is null
         or g.created_at > $7::timestamptz - interval '${YOUNG_DAYS} days'
         or g.updated_at >= previous.started_at - interval '${SAVED_WITHIN}'
         or exists (select from unnest('{${AGES_DAYS.join()}}'::int[]) as age
                    where g.created_at > previous.started_at - make_interval(days => age)
                      and g.created_at <= $7 - make_interval(days => age))
         or g.id = any (array(select group_id from reconciliation_differences
                              where run_id = $6 and outcome <> 'repaired')) as is_due
     from groups g left join previous on true
     where g.merchant_id = $1 and g.mode = $2 and (g.created_at, g.id) > ($3, $4)
     order by g.created_at, g.id limit ${WALK}
   ), due as (select * from walked where is_due order by created_at, id limit $5)
   select *, false as is_last from due
   union all (select *, true from walked order by created_at desc, id desc limit 1)
   order by is_last, created_at, id`,
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

/** A group by its place in a run, which goes from the oldest to the newest. */
export type Place = { readonly id: string; readonly created_at: Date };
type PlaceRow = Place & { readonly is_due: boolean };

/**
 * Returns the next groups of a run that are due, oldest first, and the place from which it continues; none when it has
 * seen all. In a run after another these are due: young groups, groups that changed since that run or differed in it, and those
 * that have reached one of the ages since then.
 */
export async function listDueAfter(
  q: Queryable,
  run: RunRow,
  limit: number,
): Promise<{ due: readonly Place[]; next: Place | undefined }> {
  const { merchant_id, mode, cursor_at, cursor_id, previous_id, started_at } = run;
  const rows = await q.query(page, [merchant_id, mode, cursor_at, cursor_id, limit, previous_id, started_at]);
  const [due, walked] = [rows.slice(0, -1), rows.at(-1)];
  return { due, next: due.length === limit ? due.at(-1) : walked };
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
