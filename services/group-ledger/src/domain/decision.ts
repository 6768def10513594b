import type { PspCode } from '@gp/gateway-registry';
import type { Failure } from '@gp/contracts';
import type { ErrorCode, ErrorDetail } from '@gp/errors';
import type { DomainEvent } from './domain-event.ts';
import type { Group } from './group/group.ts';
import type { Policy } from './policy.ts';
import type { Intent } from './intent/intent.ts';

/** Values that a decision gets from outside. `nowMs` is read once, together with the group, and used by every guard. */
export type Context = {
  readonly nowMs: number;
  /** A fresh time-ordered id. */
  readonly newId: () => string;
  readonly policy: Policy;
  /** Spreads retries that fell due together (±20 %). */
  readonly jitter: (delayMs: number) => number;
  readonly isRevoked: (pspCode: PspCode, credentialVersion: number) => boolean;
};

/** A durable order to a gateway's adapter; `query` requests the outcome of the attempt's authorisation. */
export type GatewayOperation = {
  readonly kind: 'operation';
  readonly operation: 'capture' | 'void' | 'refund' | 'query';
  readonly pspCode: PspCode;
  readonly credentialVersion: number;
  readonly intentId: string;
  readonly authorizationId: string;
  readonly operationId: string;
  /** From 2 on the gateway is queried before anything is sent. A repeated `operationId` only queries. */
  readonly seq: number;
  readonly amountMinor: bigint;
  readonly pspReference: string | null;
  /** After this instant the adapter may still query, but must not send. */
  readonly notAfterMs: number | null;
  /** For `void`: leave an existing hold alone; the answer is then `already_authorised`. */
  readonly unlessAuthorised: boolean;
};

export type TimerKind =
  | 'group_expiry'
  | 'reservation'
  | 'authorisation_query'
  | 'hold_lapse'
  | 'capture_retry'
  | 'void_retry'
  | 'refund_retry';

/** The object of a timer, as it travels to the scheduler and back: these names are part of the message. */
export type TimerData = {
  readonly intentId: string | null;
  readonly attemptId: string | null;
  readonly step: number;
};

export type SetTimer = {
  readonly kind: 'timer.set';
  readonly key: string;
  readonly timer: TimerKind;
  readonly dueAtMs: number;
  readonly data: TimerData;
};

export type AlertCode =
  | 'credentials_revoked'
  | 'amount_mismatch'
  | 'captured_amount_mismatch'
  | 'refunded_amount_mismatch'
  | 'captured_outside'
  | 'captured_after_release'
  | 'refunded_outside'
  | 'capture_reversed'
  | 'refund_reversed'
  | 'disputed'
  | 'capture_failed'
  | 'authorisation_unresolved'
  | 'capture_unresolved'
  | 'void_unconfirmed'
  | 'refund_unresolved';

/** A matter for an operator; the same `key` is the same matter. */
export type Alert = {
  readonly kind: 'alert';
  readonly code: AlertCode;
  readonly key: string;
  readonly intentId: string | null;
};

/** Messages to send once the decision is committed; at most one instruction for each timer key. */
export type GroupEffect =
  GatewayOperation | SetTimer | { readonly kind: 'timer.cancel'; readonly key: string } | Alert;

export type Account =
  'payer:authorised' | 'group:held' | 'merchant:captured' | 'merchant:tips' | 'payer:refunded';

/** One leg of a balanced entry: the legs that share an `entryId` sum to zero. */
export type Posting = {
  readonly id: string;
  readonly entryId: string;
  readonly account: Account;
  /** Signed minor units. */
  readonly amountMinor: bigint;
  readonly intentId: string;
  readonly authorizationId: string;
  /** Null where money moved without a change of state: a partial refund, or a charge that no slot counts, in the gateway's own dashboard. */
  readonly transitionId: string | null;
};

export type TransitionLog = {
  readonly id: string;
  readonly entity: 'group' | 'slot' | 'intent' | 'attempt';
  readonly entityId: string;
  readonly from: string | null;
  readonly to: string;
  readonly trigger: string;
  readonly groupVersion: number;
  readonly decidedAtMs: number;
  /** Why an intent, or the refund of one, failed; absent for every other transition. */
  readonly failure?: Failure;
};

export type RefundPart = {
  readonly operationId: string;
  readonly intentId: string;
  readonly pspCode: PspCode;
  readonly slotIds: readonly string[];
  readonly amountMinor: bigint;
  /** Why the gateway is not called; null where it is. */
  readonly refusal: Failure | null;
};

/** The reply for the caller beside the new state. */
export type Reply =
  | {
      readonly kind: 'reserved';
      readonly intent: Intent;
      readonly authorizationId: string | null;
      readonly reservedUntilMs: number;
      /** True when the payer's live intent for the same slots was returned. */
      readonly reused: boolean;
    }
  | {
      readonly kind: 'authorisation';
      readonly status: 'begun' | 'held' | 'in_flight' | 'unknown';
      readonly intentId: string;
      readonly authorizationId: string | null;
      readonly seq: number;
    }
  | { readonly kind: 'refund'; readonly refundId: string; readonly parts: readonly RefundPart[] };

export type Refusal = {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly param?: string;
  readonly details?: readonly ErrorDetail[];
  /** What the caller may do instead, for a person. */
  readonly hint?: string;
};

/**
 * `accepted` is to be written whole, in one transaction. It may still refuse the caller: an expiry found on the
 * way is written although the command came too late. `ignored` is normal: a late or repeated message.
 */
export type GroupDecision =
  | {
      readonly kind: 'accepted';
      readonly next: Group;
      readonly events: readonly DomainEvent[];
      readonly effects: readonly GroupEffect[];
      readonly postings: readonly Posting[];
      readonly transitions: readonly TransitionLog[];
      readonly reply?: Reply;
      readonly refusal?: Refusal;
    }
  | { readonly kind: 'ignored'; readonly reason: string; readonly reply?: Reply }
  | ({ readonly kind: 'rejected' } & Refusal);

export type AcceptedDecision = Extract<GroupDecision, { kind: 'accepted' }>;

/** The value that a handler returns when it did not simply accept. */
export type CommandResult =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'ignored'; readonly reason: string; readonly reply?: Reply }
  | ({ readonly kind: 'rejected' } & Refusal)
  | undefined;

export function ignore(reason: string, reply?: Reply): CommandResult {
  return reply ? { kind: 'ignored', reason, reply } : { kind: 'ignored', reason };
}

export function reject(code: ErrorCode): CommandResult {
  return { kind: 'rejected', code };
}

/** Rejects a command because of some slots. `param` is the field of the request that led to them. */
export function rejectSlots(
  code: ErrorCode,
  slotIds: readonly string[],
  o: { param: string; reason: string },
): CommandResult {
  return { kind: 'rejected', code, details: describeSlots(slotIds, o) };
}

/** Returns one detail of an error for each slot. */
export function describeSlots(
  slotIds: readonly string[],
  { param, reason }: { param: string; reason: string },
): readonly ErrorDetail[] {
  return slotIds.map((slot_id) => ({ param, reason, slot_id }));
}
