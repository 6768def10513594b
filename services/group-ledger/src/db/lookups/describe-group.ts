import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import { MERCHANT } from '../books/leg-sums.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

/** A message takes 1 MB: this many transitions are 300 kB. */
const MOST_TRANSITIONS = 1_000;

export type PaymentRow = {
  readonly id: string;
  readonly psp_code: PspCode;
  readonly state: string;
  readonly unknown: boolean;
  readonly disputed: boolean;
  readonly amount_minor: bigint;
  readonly tip_minor: bigint;
  readonly amount_captured: bigint;
  readonly amount_refunded: bigint;
  readonly slot_ids: string[];
  readonly customer_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly failure: { code: string; message: string; retryable: boolean } | null;
  readonly created_at: Date;
};
export type TransitionRow = {
  readonly id: string;
  readonly entity: 'group' | 'intent';
  readonly entity_id: string;
  readonly state_from: string | null;
  readonly state_to: string;
  readonly actor: string;
  readonly is_command: boolean;
  readonly trace_id: string | null;
  readonly failure: PaymentRow['failure'];
  readonly psp_reference: string | null;
  readonly decided_at: Date;
};
export type DisputeEventRow = {
  readonly id: string;
  readonly entity_id: string;
  readonly type: 'payment_intent.disputed' | 'payment_intent.dispute_closed';
  readonly psp_code: string;
  readonly occurred_at: Date;
};
export type MoneyRow = {
  readonly held: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
};

const payments = statement<PaymentRow>(
  'ledger.describe-payments',
  `select i.id, i.psp_code, i.state, i.unknown, i.disputed, i.amount_minor, i.tip_minor, i.amount_captured, i.amount_refunded,
          i.slot_ids, i.customer_id, c.email, c.name, i.failure, i.created_at
   from intents i join customers c on c.id = i.customer_id
   where i.group_id = $1 order by i.created_at, i.id`,
);
const transitions = statement<TransitionRow>(
  'ledger.describe-transitions',
  `select id, entity, entity_id, state_from, state_to, actor, command_id is not null as is_command, trace_id,
          failure, psp_reference, decided_at
   from transitions where group_id = $1 and entity in ('group', 'intent')
   order by group_version desc, id desc limit ${MOST_TRANSITIONS + 1}`,
);
// A dispute changes no state, so only its events tell of it.
const disputes = statement<DisputeEventRow>(
  'ledger.describe-disputes',
  `select e.id, e.subject_id as entity_id, e.type, i.psp_code, e.occurred_at
   from events e join intents i on i.id = e.subject_id
   where e.group_id = $1 and e.type in ('payment_intent.disputed', 'payment_intent.dispute_closed')
   order by e.sequence`,
);
const money = statement<MoneyRow>(
  'ledger.describe-money',
  `select coalesce(sum(amount_minor) filter (where account = 'group:held'), 0)::bigint as held,
          coalesce(sum(amount_minor) filter (where account in (${MERCHANT})), 0)::bigint as captured,
          coalesce(sum(amount_minor) filter (where account = 'payer:refunded'), 0)::bigint as refunded
   from postings where group_id = $1`,
);

/** The payments of a group with their payers, in the order they began. */
export function listPayments(q: Queryable, groupId: string): Promise<PaymentRow[]> {
  return q.query(payments, [groupId]);
}

/** Transitions of a group and its payments, newest last, and whether older ones were left out. */
export async function listTransitions(
  q: Queryable,
  groupId: string,
): Promise<{ rows: TransitionRow[]; isCut: boolean }> {
  const rows = await q.query(transitions, [groupId]);
  return { rows: rows.slice(0, MOST_TRANSITIONS).reverse(), isCut: rows.length > MOST_TRANSITIONS };
}

/** The begins and ends of the disputes of a group's payments, oldest first. */
export function listDisputes(q: Queryable, groupId: string): Promise<DisputeEventRow[]> {
  return q.query(disputes, [groupId]);
}

/** Amounts of a group that are held, captured and refunded now, by its postings. */
export async function sumPostings(q: Queryable, groupId: string): Promise<MoneyRow> {
  const [row] = await q.query(money, [groupId]);
  return row ?? { held: 0n, captured: 0n, refunded: 0n };
}

// Read by groups_of_a_merchant; only groups that changed in the period can have postings in it.
const byDay = statement<{ day: string; currency: string } & MoneyRow>(
  'ledger.sum-money-by-day',
  `select to_char(p.posted_at at time zone 'UTC', 'YYYY-MM-DD') as day, g.currency,
          coalesce(-sum(p.amount_minor) filter (where p.account = 'payer:authorised' and p.amount_minor < 0), 0)::bigint as held,
          coalesce(sum(p.amount_minor) filter (where p.account in (${MERCHANT}) and p.amount_minor > 0), 0)::bigint as captured,
          coalesce(sum(p.amount_minor) filter (where p.account = 'payer:refunded'), 0)::bigint as refunded
   from groups g join postings p on p.group_id = g.id
   where g.merchant_id = $1 and g.mode = $2 and g.updated_at >= $3 and p.posted_at >= $3
   group by 1, 2 order by 1, 2`,
);
const byState = statement<{ state: string; count: bigint }>(
  'ledger.count-groups-by-state',
  `select state, count(*) as count from groups where merchant_id = $1 and mode = $2 and created_at >= $3
   group by state order by state`,
);
// A group collects for at most a week and its holds are captured within a month: older groups have no open hold.
const openByGateway = statement<{ psp_code: PaymentRow['psp_code']; open_groups: bigint }>(
  'ledger.count-open-groups-by-gateway',
  `select i.psp_code, count(distinct g.id) as open_groups
   from groups g join intents i on i.group_id = g.id
   where g.merchant_id = $1 and g.mode = $2 and g.created_at >= clock_timestamp() - interval '60 days'
     and g.state in ('open', 'partially_preauthorised', 'preauthorised', 'capturing', 'partially_paid', 'refunding')
     and i.state in ('created', 'processing', 'preauthorised', 'capture_pending', 'refund_pending', 'void_pending')
   group by i.psp_code order by i.psp_code`,
);

/** Amounts held, captured and refunded on each UTC day since an instant. */
export function sumByDay(q: Queryable, { merchantId, mode }: Scope, since: Date) {
  return q.query(byDay, [merchantId, mode, since]);
}

/** The groups made since an instant, by their state. */
export function countByState(q: Queryable, { merchantId, mode }: Scope, since: Date) {
  return q.query(byState, [merchantId, mode, since]);
}

/** The groups with money on its way through each gateway. */
export function countOpenByGateway(q: Queryable, { merchantId, mode }: Scope) {
  return q.query(openByGateway, [merchantId, mode]);
}
