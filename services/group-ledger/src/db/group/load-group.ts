import type { PspCode } from '@gp/gateway-registry';
import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { sqlAhead } from '@gp/test-clock';
import type { Group } from '../../domain/index.ts';
import { groupFromRows, type AggregateJson, type GroupJson, type SlotJson } from './group.row.ts';
import type { IntentJson } from './intent.row.ts';
import { refuseBadInput } from './refusals.ts';

/** Which group, and what else the decision must know from the same instant. */
export type LoadRequest = {
  readonly groupId: string;
  /** Null where the asker is one of our own messages, which name the group they belong to. */
  readonly scope: { readonly merchantId: string; readonly mode: Mode } | null;
  /** The requesting message, to be processed once. */
  readonly message?: { readonly consumer: string; readonly id: string };
  readonly commandId?: string;
  readonly customerEmail?: string;
};

export type StoredCommand = {
  readonly fingerprint: string;
  readonly group_id: string;
  readonly intent_id: string | null;
  readonly refund_id: string | null;
};

export type Connection = {
  readonly psp_code: PspCode;
  readonly version: number;
  readonly active: boolean;
  readonly revoked: boolean;
};

/**
 * A group as stored at one instant of the database's clock, which rules the decision made on it (R8). In test mode the
 * merchant's test clock is added in the same read.
 */
export type Loaded = {
  readonly nowMs: number;
  readonly group: Group;
  readonly row: GroupJson;
  readonly slotRows: readonly SlotJson[];
  readonly intentRows: readonly IntentJson[];
  readonly isProcessed: boolean;
  readonly command: StoredCommand | null;
  readonly customerId: string | null;
  readonly connections: readonly Connection[];
};

type LoadedRow = AggregateJson & {
  readonly now: Date;
  readonly is_processed: boolean;
  readonly command: StoredCommand | null;
  readonly customer_id: string | null;
  readonly connections: readonly Connection[];
};

// No lock is taken: the write names the version read here and fails when it is gone. Every part is read by an index
// on the group: slots_have_one_row_per_place, intents_of_a_group, attempts_of_a_group, orders_of_a_group.
const loadStatement = statement<LoadedRow>(
  'ledger.load-group',
  `select clock_timestamp() + ${sqlAhead('g.merchant_id', 'g.mode')} as now, to_jsonb(g) as "group",
     (select coalesce(jsonb_agg(to_jsonb(s) order by s.sequence_no), '[]') from slots s where s.group_id = g.id) as slots,
     (select coalesce(jsonb_agg(to_jsonb(i) order by i.id), '[]') from intents i where i.group_id = g.id) as intents,
     (select coalesce(jsonb_agg(to_jsonb(a) order by a.seq), '[]') from attempts a where a.group_id = g.id) as attempts,
     (select coalesce(jsonb_agg(to_jsonb(o) order by o.id), '[]') from orders o where o.group_id = g.id) as orders,
     exists (select from inbox where consumer = $4 and message_id = $5) as is_processed,
     (select jsonb_build_object('fingerprint', encode(c.fingerprint, 'hex'), 'group_id', c.group_id,
                                'intent_id', c.intent_id, 'refund_id', c.refund_id)
      from commands c where c.id = $6) as command,
     (select id from customers c where c.merchant_id = g.merchant_id and c.mode = g.mode and c.email = $7) as customer_id,
     (select coalesce(jsonb_agg(jsonb_build_object('psp_code', c.psp_code, 'version', c.version, 'active', c.active,
                                                   'revoked', c.revoked_at is not null)), '[]')
      from gateway_connections c where c.merchant_id = g.merchant_id and c.mode = g.mode) as connections
   from groups g
   where g.id = $1 and ($2::text is null or (g.merchant_id = $2 and g.mode = $3))`,
);

/** Reads a group whole, or undefined when there is none for this merchant and mode. */
export async function loadGroup(db: Queryable, request: LoadRequest): Promise<Loaded | undefined> {
  const [row] = await db.query(loadStatement, listValues(request)).catch(refuseBadInput);
  return row && toLoaded(row);
}

function listValues({ groupId, scope, message, commandId, customerEmail }: LoadRequest): unknown[] {
  return [
    groupId,
    scope?.merchantId ?? null,
    scope?.mode ?? null,
    message?.consumer ?? null,
    message?.id ?? null,
    commandId === undefined ? null : Buffer.from(commandId, 'hex'),
    customerEmail ?? null,
  ];
}

function toLoaded(row: LoadedRow): Loaded {
  return {
    nowMs: row.now.getTime(),
    group: groupFromRows(row),
    row: row.group,
    slotRows: row.slots,
    intentRows: row.intents,
    isProcessed: row.is_processed,
    command: row.command,
    customerId: row.customer_id,
    connections: row.connections,
  };
}
