import type { Failure } from '@gp/contracts';
import type { Capture, Group, RefundLine, RefundSource, Void } from '../../domain/index.ts';
import { iso, ms } from './instants.ts';

/** An order to a gateway as `to_jsonb` reads it: captures, voids and refund lines are one shape with a kind. */
export type OperationJson = {
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

/** The rows of a group, kind by kind. */
export function operationsFromRows(
  rows: readonly OperationJson[],
): Pick<Group, 'captures' | 'voids' | 'refundLines'> {
  const ofKind = (kind: OperationJson['kind']) => rows.filter((row) => row.kind === kind);
  return {
    captures: ofKind('capture').map(captureFromRow),
    voids: ofKind('void').map(voidFromRow),
    refundLines: ofKind('refund').map(refundFromRow),
  };
}

function operationFromRow(row: OperationJson) {
  return {
    id: row.id,
    intentId: row.intent_id,
    authorizationId: row.attempt_id,
    operationId: row.operation_id,
    seq: row.seq,
    requestedAtMs: ms(row.requested_at),
  };
}

function captureFromRow(row: OperationJson): Capture {
  return { ...operationFromRow(row), state: row.state as Capture['state'] };
}

function voidFromRow(row: OperationJson): Void {
  return {
    ...operationFromRow(row),
    state: row.state as Void['state'],
    unlessAuthorised: row.unless_authorised ?? false,
  };
}

// The constraint orders_of_refunds_are_complete says that these columns are there.
function refundFromRow(row: OperationJson): RefundLine {
  return {
    ...operationFromRow(row),
    refundId: row.refund_id ?? '',
    refundNumber: row.refund_number ?? 0,
    source: row.source ?? 'api',
    state: row.state as RefundLine['state'],
    amountMinor: BigInt(row.amount_minor ?? 0),
    failure: row.failure,
  };
}

function orderRow(kind: OperationJson['kind'], order: Capture | Void | RefundLine) {
  return {
    id: order.id,
    kind,
    intent_id: order.intentId,
    attempt_id: order.authorizationId,
    operation_id: order.operationId,
    seq: order.seq,
    state: order.state,
    requested_at: iso(order.requestedAtMs),
  };
}

export const captureRow = (order: Capture) => orderRow('capture', order);

export const voidRow = (order: Void) => ({
  ...orderRow('void', order),
  unless_authorised: order.unlessAuthorised,
});

export const refundRow = (line: RefundLine) => ({
  ...orderRow('refund', line),
  refund_id: line.refundId,
  refund_number: line.refundNumber,
  source: line.source,
  amount_minor: line.amountMinor.toString(),
  failure: line.failure,
});
