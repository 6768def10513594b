import { outboxArrays, outboxInsertFragment, type OutboxMessage } from '@gp/outbox';
import { statement, type Queryable } from '@gp/pg';
import type { Group } from '../domain/index.ts';

/** A decided new group, with what the ledger stores beside the money state. */
export type NewGroupRow = {
  readonly commandId: string;
  readonly fingerprint: string;
  readonly group: Group;
  readonly groupName: string;
  readonly merchantOrderId: string;
  readonly pageToken: string;
  readonly metadata: object;
  readonly slotMetadata: readonly object[];
  readonly messages: readonly OutboxMessage[];
};

/** When a group was made; null when it was not, because its command ran before or its expiry is out of range now. */
export type CreatedAt = Date | null;

const GROUP_PARAMETERS = 10;
const SLOT_PARAMETERS = 5;

/**
 * Creates up to 50 groups: one statement, one round trip, one commit. Its first step claims the command ids, and
 * everything else joins what was claimed, so a repeated command writes nothing. Rows go in key order, which keeps
 * two such statements from deadlocking on a command id both hold.
 *
 * The database's clock has the last word on the expiry (R8): the service judged with its own.
 */
export const createGroupsStatement = statement<{ group_id: string; created_at: Date }>(
  'ledger.create-groups',
  `with incoming as (
     select * from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
                          $8::bigint[], $9::text[], $10::jsonb[], $11::text[], $12::timestamptz[])
       as i (command_id, fingerprint, id, merchant_id, mode, group_name, merchant_order_id,
             total_minor, currency, metadata, page_token, expires_at)
   ), claimed as (
     insert into commands (id, fingerprint, group_id, created_at)
     select command_id, fingerprint, id, statement_timestamp() from incoming
     where expires_at > statement_timestamp() and expires_at <= statement_timestamp() + interval '7 days'
     order by command_id
     on conflict do nothing
     returning group_id, created_at
   ), made as (
     insert into groups (id, merchant_id, mode, group_name, merchant_order_id, total_minor, currency, state, metadata,
                         page_token, expires_at, version, sequence, refund_number, created_at, updated_at)
     select i.id, i.merchant_id, i.mode, i.group_name, i.merchant_order_id, i.total_minor, i.currency, 'open',
            i.metadata, i.page_token, i.expires_at, 1, 0, 0, c.created_at, c.created_at
     from incoming i join claimed c on c.group_id = i.id
   ), slotted as (
     insert into slots (group_id, sequence_no, id, amount_minor, state, metadata, updated_at)
     select s.group_id, s.sequence_no, s.id, s.amount_minor, 'unassigned', s.metadata, c.created_at
     from unnest($13::uuid[], $14::smallint[], $15::uuid[], $16::bigint[], $17::jsonb[])
       as s (group_id, sequence_no, id, amount_minor, metadata)
     join claimed c on c.group_id = s.group_id
   ), told as (
     ${outboxInsertFragment(GROUP_PARAMETERS + 2 + SLOT_PARAMETERS + 1, 'm.group_key in (select group_id::text from claimed)')}
   )
   select group_id, created_at from claimed`,
);

/** Parameters of the statement, in order; exported so that benchmarks run the very same text with the same values. */
export function createGroupsValues(rows: readonly NewGroupRow[]): unknown[] {
  const slots = rows.flatMap((row) => row.group.slots.map((slot, index) => ({ row, slot, index })));
  return [
    rows.map((row) => Buffer.from(row.commandId, 'hex')),
    rows.map((row) => Buffer.from(row.fingerprint, 'hex')),
    rows.map((row) => row.group.id),
    rows.map((row) => row.group.merchantId),
    rows.map((row) => row.group.mode),
    rows.map((row) => row.groupName),
    rows.map((row) => row.merchantOrderId),
    rows.map((row) => row.group.totalMinor),
    rows.map((row) => row.group.currency),
    rows.map((row) => jsonOrNull(row.metadata)),
    rows.map((row) => row.pageToken),
    rows.map((row) => new Date(row.group.expiresAtMs)),
    slots.map(({ row }) => row.group.id),
    slots.map(({ slot }) => slot.sequenceNo),
    slots.map(({ slot }) => slot.id),
    slots.map(({ slot }) => slot.amountMinor),
    slots.map(({ row, index }) => jsonOrNull(row.slotMetadata[index] ?? {})),
    ...outboxArrays(rows.flatMap((row) => row.messages)),
  ];
}

/** Writes the groups; answers each one's instant of creation in the order given. */
export async function insertGroups(db: Queryable, rows: readonly NewGroupRow[]): Promise<CreatedAt[]> {
  const written = await db.query(createGroupsStatement, createGroupsValues(rows));
  const createdAt = new Map(written.map((row) => [row.group_id, row.created_at]));
  return rows.map((row) => createdAt.get(row.group.id) ?? null);
}

/** Empty metadata is the common case and not worth its bytes. */
function jsonOrNull(value: object): string | null {
  return Object.keys(value).length === 0 ? null : JSON.stringify(value);
}
