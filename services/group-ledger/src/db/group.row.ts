import type {
  Attempt,
  Capture,
  Failure,
  Group,
  Intent,
  Mode,
  PspCode,
  RefundLine,
  RefundSource,
  Slot,
  Void,
} from '../domain/index.ts';

/** Rows as `to_jsonb` writes them: instants are text, bigints numbers below 2^53. */
export type GroupJson = {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly group_name: string;
  readonly merchant_order_id: string;
  readonly total_minor: number;
  readonly currency: string;
  readonly state: Group['state'];
  readonly metadata: Record<string, unknown> | null;
  readonly page_token: string;
  readonly expires_at: string;
  readonly expired_at: string | null;
  readonly cancelled_at: string | null;
  readonly capture_stopped_at: string | null;
  readonly version: number;
  readonly sequence: number;
  readonly refund_number: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type SlotJson = {
  readonly sequence_no: number;
  readonly id: string;
  readonly amount_minor: number;
  readonly state: Slot['state'];
  readonly assigned_customer_id: string | null;
  readonly reserved_until: string | null;
  readonly intent_id: string | null;
  readonly metadata: Record<string, unknown> | null;
  readonly updated_at: string;
};

export type IntentJson = {
  readonly id: string;
  readonly customer_id: string;
  readonly psp_code: PspCode;
  readonly credential_version: number;
  readonly amount_minor: number;
  readonly slot_ids: readonly string[];
  readonly state: Intent['state'];
  readonly unknown: boolean;
  readonly winning_attempt_id: string | null;
  readonly declines: number;
  readonly renewals: number;
  readonly capture_before: string | null;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly disputed: boolean;
  readonly superseded_by: string | null;
  readonly failure: Failure | null;
  readonly traceparent: string | null;
  readonly created_at: string;
};

export type AttemptJson = {
  readonly id: string;
  readonly intent_id: string;
  readonly seq: number;
  readonly state: Attempt['state'];
  readonly amount_minor: number | null;
  readonly capture_before: string | null;
  readonly psp_reference: string | null;
  readonly started_at: string;
};

export type OrderJson = {
  readonly id: string;
  readonly kind: 'capture' | 'void' | 'refund';
  readonly intent_id: string;
  readonly attempt_id: string;
  readonly operation_id: string;
  readonly seq: number;
  readonly state: string;
  readonly requested_at: string;
  readonly unless_authorised: boolean | null;
  readonly refund_id: string | null;
  readonly refund_number: number | null;
  readonly source: RefundSource | null;
  readonly amount_minor: number | null;
  readonly failure: Failure | null;
};

export type AggregateJson = {
  readonly group: GroupJson;
  readonly slots: readonly SlotJson[];
  readonly intents: readonly IntentJson[];
  readonly attempts: readonly AttemptJson[];
  readonly orders: readonly OrderJson[];
};

/** Builds the aggregate the domain decides on. */
export function groupFromRows({ group, slots, intents, attempts, orders }: AggregateJson): Group {
  const ofKind = (kind: OrderJson['kind']) => orders.filter((order) => order.kind === kind);
  return {
    id: group.id,
    merchantId: group.merchant_id,
    mode: group.mode,
    currency: group.currency,
    totalMinor: BigInt(group.total_minor),
    state: group.state,
    createdAtMs: ms(group.created_at),
    expiresAtMs: ms(group.expires_at),
    cancelledAtMs: msOrNull(group.cancelled_at),
    expiredAtMs: msOrNull(group.expired_at),
    captureStoppedAtMs: msOrNull(group.capture_stopped_at),
    version: group.version,
    sequence: group.sequence,
    refundNumber: group.refund_number,
    slots: slots.map(slotFromRow),
    intents: intents.map((intent) =>
      intentFromRow(
        intent,
        attempts.filter((attempt) => attempt.intent_id === intent.id),
      ),
    ),
    captures: ofKind('capture').map((row) => ({
      ...orderFromRow(row),
      state: row.state as Capture['state'],
    })),
    voids: ofKind('void').map((row) => ({
      ...orderFromRow(row),
      state: row.state as Void['state'],
      unlessAuthorised: row.unless_authorised ?? false,
    })),
    refundLines: ofKind('refund').map(refundFromRow),
  };
}

function slotFromRow(row: SlotJson): Slot {
  return {
    id: row.id,
    sequenceNo: row.sequence_no,
    amountMinor: BigInt(row.amount_minor),
    state: row.state,
    assignedCustomerId: row.assigned_customer_id,
    reservedUntilMs: msOrNull(row.reserved_until),
    intentId: row.intent_id,
  };
}

function intentFromRow(row: IntentJson, attempts: readonly AttemptJson[]): Intent {
  return {
    id: row.id,
    customerId: row.customer_id,
    pspCode: row.psp_code,
    credentialVersion: row.credential_version,
    amountMinor: BigInt(row.amount_minor),
    slotIds: row.slot_ids,
    state: row.state,
    unknown: row.unknown,
    attempts: attempts.map(attemptFromRow),
    winningAttemptId: row.winning_attempt_id,
    declines: row.declines,
    renewals: row.renewals,
    captureBeforeMs: msOrNull(row.capture_before),
    amountCapturedMinor: BigInt(row.amount_captured),
    amountRefundedMinor: BigInt(row.amount_refunded),
    disputed: row.disputed,
    supersededBy: row.superseded_by,
    failure: row.failure,
    createdAtMs: ms(row.created_at),
  };
}

function attemptFromRow(row: AttemptJson): Attempt {
  return {
    id: row.id,
    seq: row.seq,
    state: row.state,
    amountMinor: row.amount_minor === null ? null : BigInt(row.amount_minor),
    captureBeforeMs: msOrNull(row.capture_before),
    pspReference: row.psp_reference,
    startedAtMs: ms(row.started_at),
  };
}

function orderFromRow(row: OrderJson) {
  return {
    id: row.id,
    intentId: row.intent_id,
    attemptId: row.attempt_id,
    operationId: row.operation_id,
    seq: row.seq,
    requestedAtMs: ms(row.requested_at),
  };
}

// The constraint orders_of_refunds_are_complete says that these columns are there.
function refundFromRow(row: OrderJson): RefundLine {
  return {
    ...orderFromRow(row),
    refundId: row.refund_id ?? '',
    refundNumber: row.refund_number ?? 0,
    source: row.source ?? 'api',
    state: row.state as RefundLine['state'],
    amountMinor: BigInt(row.amount_minor ?? 0),
    failure: row.failure,
  };
}

const ms = (text: string) => Date.parse(text);
const msOrNull = (text: string | null) => (text === null ? null : Date.parse(text));
