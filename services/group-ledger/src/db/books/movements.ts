import type { ListPosition } from '@gp/contracts';
import type { PspCode } from '@gp/gateway-registry';
import { statement, unprepared, type Db, type Queryable } from '@gp/pg';
import { refuseBadInput } from '../group/refusals.ts';
import { DISPUTES } from './disputes.ts';
import { MOVEMENT_COLUMNS, SELECT_ENTRIES } from './entries.ts';
import { addSettled, findEndId, oneSnapshot } from './summed-postings.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

/** Which movements: those of a period, which ends before `until`, and of what is named. */
export type MovementFilter = {
  readonly from: string;
  readonly until: string;
  readonly kind: string | undefined;
  readonly currency: string | undefined;
  readonly pspCode: string | undefined;
};
export type MovementRow = {
  readonly at: Date;
  readonly id: string;
  readonly kind: string;
  readonly is_tip: boolean;
  readonly psp_code: PspCode;
  readonly currency: string;
  readonly amount_minor: bigint;
  readonly group_id: string;
  readonly intent_id: string;
  readonly group_name: string;
  readonly merchant_order_id: string;
  readonly client_reference: string | null;
};
export type MovementTotalRow = {
  readonly currency: string;
  readonly kind: string;
  readonly count: bigint;
  readonly amount_minor: bigint;
  readonly tips_minor: bigint;
};

const addRows = statement(
  'ledger.add-movements',
  `insert into movements (${MOVEMENT_COLUMNS}) ${SELECT_ENTRIES} and p.id >= $1 and p.id < $2`,
);

// Parameters 1 to 8 of both statements below: merchant, mode, from, until, end of the movements, kind, currency, gateway.
const IS_MATCHING = `($6::text is null or kind = $6) and ($7::text is null or currency = $7)
     and ($8::text is null or psp_code = $8)`;
/** What was added, by its primary key; what was not yet, by the primary key of postings; and the few disputes. */
const MATCHING = (of: string) => `(
     select * from (select ${MOVEMENT_COLUMNS} from movements
       where merchant_id = $1 and mode = $2 and at >= $3::timestamptz and at < $4::timestamptz) added
     where ${IS_MATCHING} ${of}
   ) union all (
     select * from (${SELECT_ENTRIES}
       and p.id >= $5::uuid and p.posted_at >= $3 and p.posted_at < $4 and g.merchant_id = $1 and g.mode = $2) newest
     where ${IS_MATCHING} ${of}
   ) union all (
     select * from (
       select g.merchant_id, g.mode, d.at, i.id, 'disputed', false, i.psp_code, g.currency,
              i.amount_captured - i.amount_refunded, i.group_id, i.id
       from ${DISPUTES} and g.merchant_id = $1 and g.mode = $2 and d.at >= $3 and d.at < $4
         and i.amount_captured > i.amount_refunded
     ) disputed (${MOVEMENT_COLUMNS})
     where ${IS_MATCHING} ${of}
   )`;
const NEWEST_FIRST = 'order by at desc, id desc limit $11';
const BEHIND = `and ($9::timestamptz is null or (at, id) < ($9, $10::uuid)) ${NEWEST_FIRST}`;

// Unprepared as the statement of sums is, so that the planner sees how few postings were not added.
export const pageStatement = unprepared<MovementRow>(
  `select m.at, m.id, m.kind, m.is_tip, m.psp_code, m.currency, m.amount_minor, m.group_id, m.intent_id,
          g.group_name, g.merchant_order_id, g.client_reference
   from (select * from (${MATCHING(BEHIND)}) matching ${NEWEST_FIRST}) m join groups g on g.id = m.group_id
   order by m.at desc, m.id desc`,
);
const totalsStatement = unprepared<MovementTotalRow>(
  `select currency, kind, count(*) as count, sum(amount_minor)::bigint as amount_minor,
          coalesce(sum(amount_minor) filter (where is_tip), 0)::bigint as tips_minor
   from (${MATCHING('')}) matching group by 1, 2 order by 1, 2`,
);

/**
 * Adds the next postings to movements, those that were made at least `settledMs` ago. Call it in a transaction. Returns whether
 * there may be more.
 */
export function addMovements(tx: Queryable, settledMs: number): Promise<boolean> {
  return addSettled(tx, 'movements', { settledMs, add: (from, until) => tx.query(addRows, [from, until]) });
}

/**
 * Returns a merchant's movements behind a position, the newest first, and the totals of all that the filter matches where they are
 * asked for, as of one moment.
 */
export function listMovements(
  db: Db,
  { merchantId, mode }: Scope,
  o: {
    readonly filter: MovementFilter;
    readonly after: ListPosition | undefined;
    readonly limit: number;
    readonly withTotals: boolean;
  },
): Promise<{ rows: MovementRow[]; totals: MovementTotalRow[] | undefined }> {
  const { from, until, kind, currency, pspCode } = o.filter;
  return db
    .transaction(async (tx) => {
      await tx.query(oneSnapshot);
      const scope = [merchantId, mode, from, until, await findEndId(tx, 'movements')];
      const matching = [...scope, kind ?? null, currency ?? null, pspCode ?? null];
      const place = [o.after?.created_at ?? null, o.after?.id ?? null, o.limit];
      const rows = await tx.query(pageStatement, [...matching, ...place]);
      return { rows, totals: o.withTotals ? await tx.query(totalsStatement, matching) : undefined };
    })
    .catch(refuseBadInput);
}
