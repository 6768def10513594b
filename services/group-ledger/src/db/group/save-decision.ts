import { outboxArrays, outboxInsertFragment, TASK_AGAIN, type OutboxMessage } from '@gp/outbox';
import { AppError } from '@gp/errors';
import { findConstraint, statement, type Queryable } from '@gp/pg';
import type { Alert, DomainEvent, Group, Posting, TransitionLog } from '../../domain/index.ts';
import { changedRows } from './changed-rows.ts';
import type { GroupJson } from './group.row.ts';
import { nameParameters } from '../parameters.ts';
import {
  alertRow,
  eventRow,
  postingRow,
  requestRows,
  transitionRow,
  type CommandToStore,
  type CustomerToStore,
  type MessageToStore,
  type ReportedPayment,
} from './decision.row.ts';
import { instantOrNull } from './instants.ts';
import { refuseBadInput } from './refusals.ts';

/** An accepted decision and everything that must be written with it, or not at all. */
export type DecisionToSave = {
  readonly before: Group;
  readonly after: Group;
  readonly decidedAtMs: number;
  readonly events: readonly DomainEvent[];
  readonly alerts: readonly Alert[];
  readonly postings: readonly Posting[];
  readonly transitions: readonly TransitionLog[];
  readonly messages: readonly OutboxMessage[];
  readonly origin: Origin;
  readonly message?: MessageToStore | undefined;
  readonly command?: CommandToStore | undefined;
  readonly customer?: CustomerToStore | undefined;
  /** The merchant's names for the group, where an update changes them. */
  readonly names?: Pick<GroupJson, 'group_name' | 'metadata'> | undefined;
};

/** The actor, for the audit (Q32). */
type Origin = {
  readonly actor: string;
  readonly commandId: string | null;
  readonly traceparent: string | null;
  /** Only where an outcome of a gateway led to the decision. */
  readonly reported?: ReportedPayment | undefined;
};

type Saving = DecisionToSave & { readonly rows: ReturnType<typeof changedRows> };

const parameters = nameParameters({
  group_id: ({ before }: Saving) => before.id,
  read_version: ({ before }) => before.version,
  state: ({ after }) => after.state,
  expired_at: ({ after }) => instantOrNull(after.expiredAtMs),
  cancelled_at: ({ after }) => instantOrNull(after.cancelledAtMs),
  capture_stopped_at: ({ after }) => instantOrNull(after.captureStoppedAtMs),
  version: ({ after }) => after.version,
  sequence: ({ after }) => after.sequence,
  refund_number: ({ after }) => after.refundNumber,
  decided_at: ({ decidedAtMs }) => new Date(decidedAtMs),
  slots: ({ rows }) => JSON.stringify(rows.slots),
  intents: ({ rows }) => JSON.stringify(rows.intents),
  attempts: ({ rows }) => JSON.stringify(rows.attempts),
  orders: ({ rows }) => JSON.stringify(rows.orders),
  postings: ({ postings }) => JSON.stringify(postings.map(postingRow)),
  transitions: ({ transitions, origin }) =>
    JSON.stringify(transitions.map((each) => transitionRow(each, origin.reported))),
  events: ({ events }) => JSON.stringify(events.map(eventRow)),
  alerts: ({ alerts }) => JSON.stringify(alerts.map(alertRow)),
  request_rows: (saving) => JSON.stringify(requestRows(saving)),
  actor: ({ origin }) => origin.actor,
  command_id: ({ origin }) => origin.commandId,
  trace_id: ({ origin }) => origin.traceparent?.split('-')[1] ?? null,
  traceparent: ({ origin }) => origin.traceparent,
  expires_at: ({ after }) => new Date(after.expiresAtMs),
  group_name: ({ names }) => names?.group_name ?? null,
  metadata: ({ names }) => (names?.metadata ? JSON.stringify(names.metadata) : null),
});
const { $ } = parameters;

/**
 * Writes a decision: the version check first, everything else only if it held. One statement is one transaction and
 * one round trip, and no lock outlives it.
 *
 * It locks the group's row, then one row at most of inbox, commands and customers each, which belong to this group's
 * message, command and payer: no two such statements wait for each other crosswise. A command that is written again is
 * a reservation whose first intent came to nothing; the group's version, not its key, decides between two at once.
 */
export const saveStatement = statement<{ written: bigint }>(
  'ledger.save-decision',
  `with guard as (
     update groups set state = ${$.state}, expired_at = ${$.expired_at}, cancelled_at = ${$.cancelled_at},
                       capture_stopped_at = ${$.capture_stopped_at}, version = ${$.version},
                       sequence = ${$.sequence}, refund_number = ${$.refund_number}, updated_at = ${$.decided_at},
                       expires_at = ${$.expires_at}, group_name = coalesce(${$.group_name}, group_name),
                       metadata = case when ${$.group_name}::text is null then metadata else ${$.metadata}::jsonb end
     where id = ${$.group_id} and version = ${$.read_version}
     returning id, merchant_id, mode
   ), slot_rows as (
     update slots s set state = r.state, assigned_customer_id = r.assigned_customer_id,
                        reserved_until = r.reserved_until, intent_id = r.intent_id, updated_at = ${$.decided_at}
     from guard, jsonb_to_recordset(${$.slots}::jsonb)
       as r (sequence_no smallint, state text, assigned_customer_id uuid, reserved_until timestamptz, intent_id uuid)
     where s.group_id = guard.id and s.sequence_no = r.sequence_no
   ), intent_rows as (
     insert into intents (group_id, id, customer_id, psp_code, credential_version, amount_minor, tip_minor, slot_ids, state,
                          unknown, winning_attempt_id, declines, renewals, capture_before, amount_captured, amount_refunded,
                          disputed, shown_name, superseded_by, requesters, failure, created_at, traceparent)
     select guard.id, r.*, ${$.traceparent} from guard, jsonb_to_recordset(${$.intents}::jsonb)
       as r (id uuid, customer_id uuid, psp_code text, credential_version integer, amount_minor bigint, tip_minor bigint,
             slot_ids uuid[], state text, unknown boolean, winning_attempt_id uuid, declines smallint, renewals smallint,
             capture_before timestamptz, amount_captured bigint, amount_refunded bigint, disputed boolean,
             shown_name text, superseded_by uuid, requesters text[], failure jsonb, created_at timestamptz)
     on conflict (id) do update
       set state = excluded.state, unknown = excluded.unknown, winning_attempt_id = excluded.winning_attempt_id,
           declines = excluded.declines, renewals = excluded.renewals, capture_before = excluded.capture_before,
           amount_captured = excluded.amount_captured, amount_refunded = excluded.amount_refunded,
           disputed = excluded.disputed, shown_name = excluded.shown_name, superseded_by = excluded.superseded_by,
           failure = excluded.failure, slot_ids = excluded.slot_ids
   ), attempt_rows as (
     insert into attempts (group_id, id, intent_id, seq, state, amount_minor, amount_captured, amount_refunded,
                           capture_before, psp_reference, started_at)
     select guard.id, r.* from guard, jsonb_to_recordset(${$.attempts}::jsonb)
       as r (id uuid, intent_id uuid, seq smallint, state text, amount_minor bigint, amount_captured bigint,
             amount_refunded bigint, capture_before timestamptz, psp_reference text, started_at timestamptz)
     on conflict (id) do update
       set state = excluded.state, amount_minor = excluded.amount_minor, amount_captured = excluded.amount_captured,
           amount_refunded = excluded.amount_refunded, capture_before = excluded.capture_before,
           psp_reference = excluded.psp_reference
   ), order_rows as (
     insert into orders (group_id, id, kind, intent_id, attempt_id, operation_id, seq, state, requested_at,
                         unless_authorised, refund_id, refund_number, source, amount_minor, failure)
     select guard.id, r.* from guard, jsonb_to_recordset(${$.orders}::jsonb)
       as r (id uuid, kind text, intent_id uuid, attempt_id uuid, operation_id uuid, seq smallint, state text,
             requested_at timestamptz, unless_authorised boolean, refund_id uuid, refund_number integer, source text,
             amount_minor bigint, failure jsonb)
     on conflict (id) do update
       set attempt_id = excluded.attempt_id, operation_id = excluded.operation_id, seq = excluded.seq,
           state = excluded.state, requested_at = excluded.requested_at,
           unless_authorised = excluded.unless_authorised, amount_minor = excluded.amount_minor,
           failure = excluded.failure
   ), posting_rows as (
     insert into postings (group_id, posted_at, id, entry_id, account, amount_minor, intent_id, attempt_id, transition_id)
     select guard.id, ${$.decided_at}, r.* from guard, jsonb_to_recordset(${$.postings}::jsonb)
       as r (id uuid, entry_id uuid, account text, amount_minor bigint, intent_id uuid, attempt_id uuid, transition_id uuid)
   ), transition_rows as (
     insert into transitions (group_id, actor, command_id, trace_id, decided_at, id, entity, entity_id, state_from,
                              state_to, trigger, group_version, failure, psp_reference)
     select guard.id, ${$.actor}, ${$.command_id}, ${$.trace_id}, ${$.decided_at}, r.* from guard, jsonb_to_recordset(${$.transitions}::jsonb)
       as r (id uuid, entity text, entity_id uuid, state_from text, state_to text, trigger text, group_version bigint,
             failure jsonb, psp_reference text)
   ), event_rows as (
     insert into events (group_id, sequence, id, type, subject_id, group_version, occurred_at)
     select guard.id, r.*, ${$.decided_at} from guard, jsonb_to_recordset(${$.events}::jsonb)
       as r (sequence integer, id uuid, type text, subject_id uuid, group_version bigint)
   ), alert_rows as (
     insert into operator_tasks as t (group_id, merchant_id, mode, key, code, intent_id)
     select distinct on (r.key) guard.id, guard.merchant_id, guard.mode, r.*
     from guard, jsonb_to_recordset(${$.alerts}::jsonb) as r (key text, code text, intent_id uuid)
     ${TASK_AGAIN}
   ), inbox_row as (
     insert into inbox (consumer, message_id)
     select r.* from guard, jsonb_to_recordset(${$.request_rows}::jsonb -> 'inbox') as r (consumer text, message_id text)
   ), command_row as (
     insert into commands (id, fingerprint, group_id, intent_id, refund_id)
     select decode(r.id, 'hex'), decode(r.fingerprint, 'hex'), guard.id, r.intent_id, r.refund_id
     from guard, jsonb_to_recordset(${$.request_rows}::jsonb -> 'command')
       as r (id text, fingerprint text, intent_id uuid, refund_id uuid)
     on conflict (id) do update set intent_id = excluded.intent_id
       where commands.group_id = excluded.group_id and commands.fingerprint = excluded.fingerprint
   ), customer_row as (
     insert into customers (merchant_id, mode, created_at, updated_at, last_payment_at, id, email, name, time_zone)
     select guard.merchant_id, guard.mode, ${$.decided_at}, ${$.decided_at}, ${$.decided_at}, r.*
     from guard, jsonb_to_recordset(${$.request_rows}::jsonb -> 'customer') 
       as r (id uuid, email text, name text, time_zone text)
     on conflict (id) do update
       set last_payment_at = greatest(customers.created_at, customers.last_payment_at, excluded.last_payment_at),
           updated_at = clock_timestamp(),
           name = case when excluded.email = customers.email then coalesce(excluded.name, customers.name) end,
           time_zone =
             case when excluded.email = customers.email then coalesce(excluded.time_zone, customers.time_zone) end
   ), sent as (
     ${outboxInsertFragment(parameters.next, 'exists (select from guard)')}
   )
   select count(*) as written from guard`,
);

/** Rows that a concurrent writer may have made first; the next load finds them. */
const RACES = ['inbox_takes_a_message_once', 'customers_are_known_by_email'];

/**
 * Writes the whole decision. `stale` means that another writer was first and nothing happened: load and decide again.
 * Rejects with `validation_error` where a text cannot be stored.
 */
export async function saveDecision(db: Queryable, o: DecisionToSave): Promise<'written' | 'stale'> {
  try {
    const saving = { ...o, rows: changedRows(o.before, o.after) };
    const values = [...parameters.listValues(saving), ...outboxArrays(o.messages)];
    const [row] = await db.query(saveStatement, values);
    return row?.written === 1n ? 'written' : 'stale';
  } catch (error) {
    const isLostRace = RACES.includes(findConstraint(error) ?? '');
    if (isLostRace || (error instanceof AppError && error.code === 'conflict')) return 'stale';
    return refuseBadInput(error);
  }
}
