import type { Failure, Mode, OrganiserRight } from '@gp/contracts';
import { findAuthorization, type Authorization } from '../authorization/authorization.ts';
import type { Intent } from '../intent/intent.ts';
import type { CaptureMinimum } from './capture-minimum.ts';
import type { GroupState } from './group.machine.ts';
import type { SlotState } from '../slot/slot.machine.ts';

/** A share of the group's total. Amounts are minor units, instants epoch milliseconds, throughout. */
export type Slot = {
  readonly id: string;
  readonly sequenceNo: number;
  readonly amountMinor: bigint;
  readonly state: SlotState;
  readonly assignedCustomerId: string | null;
  readonly reservedUntilMs: number | null;
  /** The intent that has the slot; kept after it ended so that captured money can be traced. */
  readonly intentId: string | null;
};

/**
 * The state of an order to the gateway. `started` was sent and has no outcome, `waiting` had definitely no effect and
 * waits for its next try, `unknown` may have had its effect. Each try that may have a new effect gets a new `operationId`
 * and the next `seq`; repeating both queries the same try.
 */
type RequestedOperation = {
  readonly id: string;
  readonly intentId: string;
  readonly authorizationId: string;
  readonly operationId: string;
  readonly seq: number;
  readonly requestedAtMs: number;
};

/** The capture of one intent's hold. After the first one of a group, the group can no longer be cancelled, nor release everything. */
export type Capture = RequestedOperation & {
  readonly state: 'started' | 'waiting' | 'unknown' | 'captured' | 'failed' | 'stopped';
};

/** The release of one authorization's hold, or of what might become one. */
export type Void = RequestedOperation & {
  readonly state: 'started' | 'waiting' | 'unknown' | 'confirmed' | 'withdrawn' | 'lapsed' | 'refused';
  /** Ends the authorization only if nothing is held yet; the gateway's "already authorised" makes it a success. */
  readonly unlessAuthorised: boolean;
};

export type RefundSource = 'api' | 'dashboard' | 'external';

/** One intent's part of a refund request; `refundNumber` counts the group's requests. */
export type RefundLine = RequestedOperation & {
  readonly refundId: string;
  readonly refundNumber: number;
  readonly source: RefundSource;
  readonly state: 'started' | 'waiting' | 'unknown' | 'refunded' | 'failed' | 'reversed';
  readonly amountMinor: bigint;
  readonly failure: Failure | null;
};

/** The holder of a group's second link: the rights that the creation gave, which never change (Q84). */
export type Organiser = {
  readonly may: readonly OrganiserRight[];
  /** The latest expiry that an extension may reach; null without the right to extend. */
  readonly latestExpiresAtMs: number | null;
};

/** The aggregate: everything that is read at one version and written only if that version still stands. */
export type Group = {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly totalMinor: bigint;
  /** The last result of `derive`. */
  readonly state: GroupState;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Null for a group without an organiser. */
  readonly organiser: Organiser | null;
  /** Null for a group whose holds are all released when its time runs out. */
  readonly captureMinimum: CaptureMinimum | null;
  /** The most that each payment may add to its slots; null where payers may add nothing. */
  readonly maxTipMinor: bigint | null;
  readonly cancelledAtMs: number | null;
  readonly expiredAtMs: number | null;
  readonly captureStoppedAtMs: number | null;
  /** Grows with every logged transition, and at least once with every accepted command. */
  readonly version: number;
  /** Number of the last event emitted. */
  readonly sequence: number;
  /** Number of the newest refund request. */
  readonly refundNumber: number;
  readonly slots: readonly Slot[];
  readonly intents: readonly Intent[];
  readonly captures: readonly Capture[];
  readonly voids: readonly Void[];
  readonly refundLines: readonly RefundLine[];
};

/** Whether slots may still be taken and given back: nothing ended the group and no capture was ever tried. */
export function isCollecting(group: Group): boolean {
  return group.cancelledAtMs === null && group.expiredAtMs === null && group.captures.length === 0;
}

/** Whether the group's time ran out or it was cancelled: no further payment takes part in it. */
export function isEnded(group: Group): boolean {
  return group.cancelledAtMs !== null || group.expiredAtMs !== null;
}

export function findSlot(group: Group, id: string): Slot | undefined {
  return group.slots.find((slot) => slot.id === id);
}

export function findIntent(group: Group, id: string): Intent | undefined {
  return group.intents.find((intent) => intent.id === id);
}

export function findVoid(group: Group, authorizationId: string): Void | undefined {
  return group.voids.find((order) => order.authorizationId === authorizationId);
}

export function findCapture(group: Group, intentId: string): Capture | undefined {
  return group.captures.find((order) => order.intentId === intentId);
}

export function isOpen(order: { readonly state: string }): boolean {
  return order.state === 'started' || order.state === 'waiting' || order.state === 'unknown';
}

/** The authorization's void that is not concluded yet. */
export function findOpenVoid(group: Group, authorizationId: string): Void | undefined {
  const order = findVoid(group, authorizationId);
  return order && isOpen(order) ? order : undefined;
}

/** The intent's refund line that is not concluded yet. */
export function findOpenRefund(group: Group, intentId: string): RefundLine | undefined {
  return group.refundLines.find((line) => line.intentId === intentId && isOpen(line));
}

/** Finds an authorization of the group by the two ids every outcome names. */
export function locateAuthorization(
  group: Group,
  { intentId, authorizationId }: { readonly intentId: string; readonly authorizationId: string },
): { readonly intent: Intent; readonly authorization: Authorization } | undefined {
  const intent = findIntent(group, intentId);
  const authorization = intent && findAuthorization(intent, authorizationId);
  return intent && authorization && { intent, authorization };
}

/** Returns the amount, at most the limit: what a gateway reports beyond it is left to an operator. */
export function atMost(amountMinor: bigint, limitMinor: bigint): bigint {
  return amountMinor < limitMinor ? amountMinor : limitMinor;
}
