import { openCommonTables, type CommonTables } from './outbox.ts';
import { Table, type Undoing } from './table.ts';

/** A row as `to_jsonb` writes it. */
export type Json = Readonly<Record<string, unknown>>;
export type GroupRow = Json & {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: string;
  readonly state: string;
  readonly version: number;
  readonly currency: string;
  readonly page_token: string;
  readonly merchant_order_id: string;
  readonly created_at: string;
  readonly updated_at: string;
};
export type SlotRow = Json & { readonly id: string; readonly sequence_no: number };
export type IntentRow = Json & {
  readonly id: string;
  readonly psp_code: string;
  readonly state: string;
  readonly unknown: boolean;
  readonly amount_minor: number;
  readonly tip_minor: number;
  readonly credential_version: number;
};
export type AttemptRow = Json & {
  readonly id: string;
  readonly intent_id: string;
  readonly seq: number;
  readonly state: string;
  readonly psp_reference: string | null;
};
export type OrderRow = Json & {
  readonly id: string;
  readonly kind: string;
  readonly intent_id: string;
  readonly attempt_id: string;
  readonly operation_id: string;
  readonly state: string;
};
export type PostingRow = Json & {
  readonly entry_id: string;
  readonly account: string;
  readonly amount_minor: string;
  readonly attempt_id: string;
};
export type EventRow = Json & {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly subject_id: string;
  readonly group_version: number;
};

/** A group with all rows that belong to it, replaced as a whole. */
export type Bundle = {
  readonly group: GroupRow;
  readonly slots: readonly SlotRow[];
  readonly intents: readonly IntentRow[];
  readonly attempts: readonly AttemptRow[];
  readonly orders: readonly OrderRow[];
  readonly postings: readonly PostingRow[];
  readonly events: readonly EventRow[];
  readonly transitions: readonly Json[];
};

export type CommandRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly group_id: string;
  readonly intent_id: string | null;
  readonly refund_id: string | null;
};
export type ConnectionRow = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly psp_code: string;
  readonly version: number;
  readonly active: boolean;
  readonly revoked: boolean;
  readonly revision: number;
  readonly activatedRevision: number;
};
export type CustomerRow = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
};

export type LedgerTables = CommonTables & {
  readonly groups: Table<Bundle>;
  readonly intentGroups: Table<{ readonly id: string; readonly groupId: string }>;
  readonly commands: Table<CommandRow>;
  readonly customers: Table<CustomerRow>;
  readonly connections: Table<ConnectionRow>;
};

export const toConnectionKey = (
  c: Pick<ConnectionRow, 'merchant_id' | 'mode' | 'psp_code' | 'version'>,
): string => `${c.merchant_id} ${c.mode} ${c.psp_code} ${c.version}`;

export function openLedgerTables(undoing: Undoing): LedgerTables {
  return {
    ...openCommonTables(undoing),
    groups: new Table<Bundle>(undoing, ({ group }) => group.id, {
      orderId: ({ group }) => `${group.merchant_id} ${group.merchant_order_id}`,
      pageToken: ({ group }) => group.page_token,
    }),
    intentGroups: new Table(undoing, ({ id }) => id),
    commands: new Table<CommandRow>(undoing, ({ id }) => id),
    customers: new Table<CustomerRow>(
      undoing,
      ({ merchant_id, mode, email }) => `${merchant_id} ${mode} ${email}`,
    ),
    connections: new Table<ConnectionRow>(undoing, toConnectionKey, {
      scope: ({ merchant_id, mode }) => `${merchant_id} ${mode}`,
    }),
  };
}
