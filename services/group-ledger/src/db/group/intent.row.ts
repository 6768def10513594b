import type { PspCode } from '@gp/gateway-registry';
import type { Failure } from '@gp/contracts';
import {
  buildIntent,
  findFailure,
  findHold,
  type Authorization,
  type Hold,
  type Intent,
} from '../../domain/index.ts';
import { iso, isoOrNull, ms, msOrNull } from './instants.ts';

/** An intent as `to_jsonb` reads it and `jsonb_to_recordset` takes it. */
export type IntentJson = {
  readonly id: string;
  readonly customer_id: string;
  readonly psp_code: PspCode;
  readonly credential_version: number;
  readonly amount_minor: number;
  readonly tip_minor: number;
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
  readonly shown_name: string | null;
  readonly superseded_by: string | null;
  readonly requesters: readonly string[] | null;
  readonly failure: Failure | null;
  readonly traceparent: string | null;
  readonly created_at: string;
};

export type AttemptJson = {
  readonly id: string;
  readonly intent_id: string;
  readonly seq: number;
  readonly state: Authorization['state'];
  readonly amount_minor: number | null;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly capture_before: string | null;
  readonly psp_reference: string | null;
  readonly started_at: string;
};

/** Rejects a row whose hold or failure does not fit its state: buildIntent throws, and nothing is decided on it. */
export function intentFromRow(row: IntentJson, attempts: readonly AttemptJson[]): Intent {
  return buildIntent({
    id: row.id,
    customerId: row.customer_id,
    pspCode: row.psp_code,
    credentialVersion: row.credential_version,
    amountMinor: BigInt(row.amount_minor),
    tipMinor: BigInt(row.tip_minor),
    slotIds: row.slot_ids,
    state: row.state,
    unknown: row.unknown,
    authorizations: attempts.map(authorizationFromRow),
    declines: row.declines,
    renewals: row.renewals,
    amountCapturedMinor: BigInt(row.amount_captured),
    amountRefundedMinor: BigInt(row.amount_refunded),
    disputed: row.disputed,
    shownName: row.shown_name,
    supersededBy: row.superseded_by,
    requesters: row.requesters ?? [],
    createdAtMs: ms(row.created_at),
    hold: holdFromRow(row),
    failure: row.failure,
  });
}

function holdFromRow({ id, winning_attempt_id, capture_before }: IntentJson): Hold | null {
  if (winning_attempt_id === null && capture_before === null) return null;
  if (winning_attempt_id !== null && capture_before !== null)
    return { authorizationId: winning_attempt_id, captureBeforeMs: ms(capture_before) };
  throw new Error(`payment intent ${id} has half a hold: an attempt without a deadline, or the reverse`);
}

/** The row as it is written; amounts are text, because JSON numbers would be read as doubles on the way. */
export function intentRow(intent: Intent) {
  const hold = findHold(intent);
  return {
    id: intent.id,
    customer_id: intent.customerId,
    psp_code: intent.pspCode,
    credential_version: intent.credentialVersion,
    amount_minor: intent.amountMinor.toString(),
    tip_minor: intent.tipMinor.toString(),
    slot_ids: intent.slotIds,
    state: intent.state,
    unknown: intent.unknown,
    winning_attempt_id: hold?.authorizationId ?? null,
    declines: intent.declines,
    renewals: intent.renewals,
    capture_before: isoOrNull(hold?.captureBeforeMs ?? null),
    amount_captured: intent.amountCapturedMinor.toString(),
    amount_refunded: intent.amountRefundedMinor.toString(),
    disputed: intent.disputed,
    shown_name: intent.shownName,
    superseded_by: intent.supersededBy,
    requesters: intent.requesters,
    failure: findFailure(intent),
    created_at: iso(intent.createdAtMs),
  };
}

function authorizationFromRow(row: AttemptJson): Authorization {
  return {
    id: row.id,
    seq: row.seq,
    state: row.state,
    amountMinor: row.amount_minor === null ? null : BigInt(row.amount_minor),
    amountCapturedMinor: BigInt(row.amount_captured),
    amountRefundedMinor: BigInt(row.amount_refunded),
    captureBeforeMs: msOrNull(row.capture_before),
    pspReference: row.psp_reference,
    startedAtMs: ms(row.started_at),
  };
}

export function authorizationRow(intentId: string, authorization: Authorization) {
  return {
    id: authorization.id,
    intent_id: intentId,
    seq: authorization.seq,
    state: authorization.state,
    amount_minor: authorization.amountMinor?.toString() ?? null,
    amount_captured: authorization.amountCapturedMinor.toString(),
    amount_refunded: authorization.amountRefundedMinor.toString(),
    capture_before: isoOrNull(authorization.captureBeforeMs),
    psp_reference: authorization.pspReference,
    started_at: iso(authorization.startedAtMs),
  };
}
