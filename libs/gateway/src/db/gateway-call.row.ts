import type { Failure, Mode } from '@gp/contracts';
import type { GatewayCall, CallOperation } from '../domain/gateway-call.ts';
import type { CallState } from '../domain/gateway-call.machine.ts';

/** A row of psp_attempts as Postgres returns it. */
export type GatewayCallRow = {
  readonly id: string;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly group_id: string;
  readonly intent_id: string;
  readonly attempt_id: string;
  readonly operation: CallOperation;
  readonly seq: number;
  readonly operation_id: string;
  readonly psp_idempotency_key: string;
  readonly credential_version: number;
  readonly state: CallState;
  readonly psp_reference: string | null;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly result_minor: bigint | null;
  readonly sandbox_fault: string | null;
  readonly failure: Failure | null;
  readonly traceparent: string | null;
  readonly not_after: Date | null;
  readonly unless_authorised: boolean;
  readonly return_url: string | null;
  readonly started_at: Date;
  readonly leased_until: Date;
  readonly accepted_at: Date | null;
};

export const gatewayCallColumns = `id, mode, merchant_id, group_id, intent_id, attempt_id, operation, seq, operation_id,
  psp_idempotency_key, credential_version, state, psp_reference, amount_minor, currency, result_minor,
  sandbox_fault, failure, traceparent, not_after, unless_authorised, return_url, started_at, leased_until, accepted_at`;

export function toGatewayCall(row: GatewayCallRow): GatewayCall {
  return {
    id: row.id,
    mode: row.mode,
    merchantId: row.merchant_id,
    groupId: row.group_id,
    intentId: row.intent_id,
    attemptId: row.attempt_id,
    operation: row.operation,
    seq: row.seq,
    operationId: row.operation_id,
    idempotencyKey: row.psp_idempotency_key,
    credentialVersion: row.credential_version,
    state: row.state,
    pspReference: row.psp_reference,
    amountMinor: row.amount_minor,
    currency: row.currency,
    resultMinor: row.result_minor,
    sandboxFault: row.sandbox_fault,
    failure: row.failure,
    traceparent: row.traceparent,
    notAfter: row.not_after,
    unlessAuthorised: row.unless_authorised,
    returnUrl: row.return_url,
    startedAt: row.started_at,
    leasedUntil: row.leased_until,
    acceptedAt: row.accepted_at,
  };
}
