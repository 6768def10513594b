import { changeTimers, type TimerInstruction } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { sqlAhead } from '@gp/test-clock';
import { uuidv7 } from 'uuidv7';
import type { GroupJson, SlotJson } from './group.row.ts';
import { refuseBadInput } from './refusals.ts';

/** A decided new group with its command, as it is written. */
export type NewGroupRow = {
  readonly commandId: string;
  readonly fingerprint: string;
  readonly group: GroupJson;
  readonly slots: readonly SlotJson[];
  readonly timers: readonly TimerInstruction[];
};

/** When a group was made; null when it was not, because its command ran before or its expiry is out of range now. */
export type CreatedAt = Date | null;

/**
 * Creates up to 50 groups: one statement, one round trip, one commit. Its first step claims the command ids, and
 * everything else joins what was claimed, so a repeated command writes nothing, also within one batch. Rows go in key
 * order, which keeps two such statements from deadlocking on a command id both hold.
 *
 * The timers of all its groups leave as one message a mode: one row here, one message to carry and one to take there
 * instead of one each, which is what a create costs the rest of the platform.
 *
 * The database's clock, with the merchant's test clock in test mode, has the last word on the expiry (R8): the service
 * judged with its own. Hours, not days: a day of the session's time zone may have 23 of them.
 */
export const createGroupsStatement = statement<{ group_id: string; created_at: Date }>(
  'ledger.create-groups',
  `with incoming as (
     select i.*, (statement_timestamp() + ${sqlAhead('i.merchant_id', 'i.mode')})::timestamptz(3) as made_at
     from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                          $8::bigint[], $9::text[], $10::jsonb[], $11::text[], $12::timestamptz[], $22::text[], $23::text[],
                          $25::text[], $26::jsonb[], $27::bigint[], $28::smallint[],
                          $29::bigint[])
       as i (command_id, fingerprint, id, merchant_id, mode, group_name, merchant_order_id,
             total_minor, currency, metadata, page_token, expires_at, traceparent, client_reference, organiser_token,
             organiser_rights, capture_minimum_minor, capture_minimum_slots, max_tip_minor)
   ), fresh as (
     insert into commands (id, fingerprint, group_id, created_at)
     select command_id, fingerprint, id, statement_timestamp() from incoming
     where expires_at > made_at and expires_at <= made_at + interval '168 hours'
     order by command_id
     on conflict do nothing
     returning group_id
   ), claimed as (
     select f.group_id, i.made_at as created_at from fresh f join incoming i on i.id = f.group_id
   ), made as (
     insert into groups (id, merchant_id, mode, group_name, merchant_order_id, total_minor, currency, state, metadata,
                         page_token, expires_at, version, sequence, refund_number, created_at, updated_at,
                         traceparent, client_reference, organiser_token, organiser_rights,
                         capture_minimum_minor, capture_minimum_slots, max_tip_minor)
     select i.id, i.merchant_id, i.mode, i.group_name, i.merchant_order_id, i.total_minor, i.currency, 'open',
            i.metadata, i.page_token, i.expires_at, 1, 0, 0, c.created_at, c.created_at, i.traceparent,
            i.client_reference, i.organiser_token, i.organiser_rights, i.capture_minimum_minor, i.capture_minimum_slots,
            i.max_tip_minor
     from incoming i join claimed c on c.group_id = i.id
   ), slotted as (
     insert into slots (group_id, sequence_no, id, amount_minor, state, metadata, label, updated_at)
     select s.group_id, s.sequence_no, s.id, s.amount_minor, 'unassigned', s.metadata, s.label, c.created_at
     from unnest($13::uuid[], $14::smallint[], $15::uuid[], $16::bigint[], $17::jsonb[], $24::text[])
       as s (group_id, sequence_no, id, amount_minor, metadata, label)
     join claimed c on c.group_id = s.group_id
   ), sent as (
     insert into outbox (id, subject, group_key, mode, payload)
     select ids.id, '${changeTimers.subject}', min(t.group_id::text), ids.mode,
            jsonb_build_object('instructions', jsonb_agg(t.instruction))
     from unnest($18::uuid[], $19::jsonb[]) as t (group_id, instruction)
     join claimed c on c.group_id = t.group_id
     join (values ('test', $20::uuid), ('live', $21::uuid)) as ids (mode, id) on ids.mode = t.instruction ->> 'mode'
     group by ids.mode, ids.id
   )
   select group_id, created_at from claimed`,
);

/**
 * Writes the groups; returns each one's instant of creation in the given order. Rejects as a whole, with
 * `validation_error` or `duplicate_merchant_order_id` where one row cannot be stored as it is.
 */
export async function insertGroups(db: Queryable, rows: readonly NewGroupRow[]): Promise<CreatedAt[]> {
  const written = await db.query(createGroupsStatement, createGroupsValues(rows)).catch(refuseBadInput);
  const createdAt = new Map(written.map((row) => [row.group_id, row.created_at]));
  return rows.map((row) => createdAt.get(row.group.id) ?? null);
}

/** Parameters of the statement, in order. */
export function createGroupsValues(rows: readonly NewGroupRow[]): unknown[] {
  return [
    rows.map((row) => Buffer.from(row.commandId, 'hex')),
    rows.map((row) => Buffer.from(row.fingerprint, 'hex')),
    ...groupColumns(rows.map((row) => row.group)),
    ...slotColumns(rows.flatMap((row) => row.slots.map((slot) => ({ groupId: row.group.id, slot })))),
    ...timerColumns(rows.flatMap((row) => row.timers.map((timer) => ({ groupId: row.group.id, timer })))),
    uuidv7(),
    uuidv7(),
    rows.map((row) => row.group.traceparent),
    rows.map((row) => row.group.client_reference),
    rows.flatMap((row) => row.slots.map((slot) => slot.label)),
    rows.map((row) => row.group.organiser_token),
    rows.map((row) => json(row.group.organiser_rights)),
    rows.map((row) => row.group.capture_minimum_minor),
    rows.map((row) => row.group.capture_minimum_slots),
    rows.map((row) => row.group.max_tip_minor),
  ];
}

function groupColumns(groups: readonly GroupJson[]): unknown[] {
  return [
    groups.map((group) => group.id),
    groups.map((group) => group.merchant_id),
    groups.map((group) => group.mode),
    groups.map((group) => group.group_name),
    groups.map((group) => group.merchant_order_id),
    groups.map((group) => group.total_minor),
    groups.map((group) => group.currency),
    groups.map((group) => json(group.metadata)),
    groups.map((group) => group.page_token),
    groups.map((group) => group.expires_at),
  ];
}

function slotColumns(slots: readonly { groupId: string; slot: SlotJson }[]): unknown[] {
  return [
    slots.map(({ groupId }) => groupId),
    slots.map(({ slot }) => slot.sequence_no),
    slots.map(({ slot }) => slot.id),
    slots.map(({ slot }) => slot.amount_minor),
    slots.map(({ slot }) => json(slot.metadata)),
  ];
}

function timerColumns(timers: readonly { groupId: string; timer: TimerInstruction }[]): unknown[] {
  return [timers.map(({ groupId }) => groupId), timers.map(({ timer }) => JSON.stringify(timer))];
}

const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
