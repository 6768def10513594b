import { text } from './schema.ts';
import { openCommonTables, type CommonTables } from './outbox.ts';
import { Table, type Undoing } from './table.ts';

export type CallRow = {
  readonly id: string;
  readonly mode: string;
  readonly merchant_id: string;
  readonly group_id: string;
  readonly intent_id: string;
  readonly attempt_id: string;
  readonly operation: string;
  readonly seq: number;
  readonly operation_id: string;
  readonly psp_idempotency_key: string;
  readonly credential_version: number;
  readonly state: string;
  readonly psp_reference: string | null;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly result_minor: bigint | null;
  readonly sandbox_fault: string | null;
  readonly failure: unknown;
  readonly traceparent: string | null;
  readonly not_after: Date | null;
  readonly unless_authorised: boolean;
  readonly return_url: string | null;
  readonly started_at: Date;
  readonly leased_until: Date;
  readonly accepted_at: Date | null;
};
export type CredentialsRow = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly version: number;
  readonly key_id: string;
  readonly sealed: Buffer;
  readonly account: string;
  readonly isVerified: boolean;
};
type ExternalRow = { readonly attempt_id: string; readonly operation: string; readonly amount_minor: bigint };

export type GatewayTables = CommonTables & {
  readonly calls: Table<CallRow>;
  readonly callbacks: Table<CallbackRow>;
  readonly orders: Table<OrderRow>;
  readonly credentials: Table<CredentialsRow>;
  readonly external: Table<ExternalRow>;
  readonly quarantine: Table<{ readonly key: string }>;
  /** The newest value of the identity column of waiting_orders. */
  readonly lastOrder: Table<{ readonly position: bigint }>;
};

export type Signer = { readonly merchant_id: string; readonly mode: string };
export type CallbackRow = {
  readonly id: string;
  readonly mode: string;
  readonly merchant_id: string;
  readonly credential_version: number;
  readonly account: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt_id: string | null;
  readonly psp_reference: string;
  readonly is_disputed: boolean | null;
  readonly traceparent: string | null;
  readonly signers: readonly Signer[];
  readonly state: 'stored' | 'applied' | 'unmatched';
  readonly tries: number;
  readonly dueMs: number;
};

export type OrderRow = {
  readonly position: bigint;
  readonly message_id: string;
  readonly subject: string;
  readonly operation: string;
  readonly mode: string;
  readonly merchant_id: string;
  readonly intent_id: string;
  readonly payload: unknown;
  readonly traceparent: string | null;
  readonly tries: number;
  readonly hand_outs: number;
  readonly dueMs: number;
};

export const toCallKey = (r: { attempt_id: unknown; operation: unknown; seq: unknown }): string =>
  `${text(r.attempt_id)} ${text(r.operation)} ${String(r.seq)}`;

export const scopeOf = ({ merchant_id, mode }: { merchant_id: unknown; mode: unknown }): string =>
  `${text(merchant_id)} ${text(mode)}`;

export function openGatewayTables(undoing: Undoing): GatewayTables {
  return {
    ...openCommonTables(undoing),
    calls: new Table<CallRow>(undoing, toCallKey, {
      id: ({ id }) => id,
      payment: ({ attempt_id }) => attempt_id,
      reference: ({ psp_reference }) => psp_reference,
      key: ({ psp_idempotency_key }) => psp_idempotency_key,
      inHand: ({ state }) => (state === 'started' ? 'started' : null),
    }),
    callbacks: new Table<CallbackRow>(undoing, ({ id }) => id, {
      stored: ({ state }) => (state === 'stored' ? 'stored' : null),
      event: ({ account, event_id }) => `${account} ${event_id}`,
    }),
    orders: new Table<OrderRow>(undoing, ({ position }) => String(position), {
      message: ({ message_id }) => message_id,
    }),
    credentials: new Table<CredentialsRow>(undoing, (row) => `${scopeOf(row)} ${row.version}`, {
      scope: scopeOf,
    }),
    external: new Table<ExternalRow>(undoing, (row) => `${row.attempt_id} ${row.operation}`),
    quarantine: new Table(undoing, ({ key }) => key),
    lastOrder: new Table(undoing, () => 'only'),
  };
}
