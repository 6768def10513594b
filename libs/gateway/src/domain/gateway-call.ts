import type { Failure, Mode } from '@gp/contracts';
import type { CallState } from './gateway-call.machine.ts';

export const CALL_OPERATIONS = ['prepare', 'authorise', 'capture', 'void', 'refund'] as const;
export type CallOperation = (typeof CALL_OPERATIONS)[number];

/** One write-ahead row: the call about to be sent, and its result. */
export type GatewayCall = {
  readonly id: string;
  readonly mode: Mode;
  readonly merchantId: string;
  readonly groupId: string;
  readonly intentId: string;
  readonly attemptId: string;
  readonly operation: CallOperation;
  readonly seq: number;
  /** The ledger's own row this call is for. */
  readonly operationId: string;
  readonly idempotencyKey: string;
  readonly credentialVersion: number;
  readonly state: CallState;
  readonly pspReference: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly resultMinor: bigint | null;
  readonly sandboxFault: string | null;
  readonly failure: Failure | null;
  readonly traceparent: string | null;
  /** After this instant we may still query, but must not send. */
  readonly notAfter: Date | null;
  /** A void that leaves an existing hold alone. */
  readonly unlessAuthorised: boolean;
  /**
   * The address to which the payer returns from the gateway's or the bank's page; only of a preparation or an
   * authorization, and only where there is such a page.
   */
  readonly returnUrl: string | null;
  readonly startedAt: Date;
  /** No process worked on it after this instant: everything sent for it was sent by then. */
  readonly leasedUntil: Date;
  /** The time at which the gateway is known to have accepted it, so that its result can be reported later. */
  readonly acceptedAt: Date | null;
};

export type NewGatewayCall = Omit<
  GatewayCall,
  'state' | 'resultMinor' | 'failure' | 'startedAt' | 'leasedUntil' | 'acceptedAt' | 'idempotencyKey' | 'id'
>;

/**
 * Returns the idempotency key that a gateway sees. Holds belong to attempts and each attempt counts its own
 * operations, so the key contains the attempt and not the intent: two attempts of one intent may both need a
 * first void.
 */
export function buildIdempotencyKey(
  a: Pick<GatewayCall, 'mode' | 'attemptId' | 'operation' | 'seq'>,
): string {
  return `${a.mode}:${a.attemptId}:${a.operation}:${a.seq}`;
}

/** Whether the gateway's answer is not known yet. */
export const isOpen = ({ state }: GatewayCall): boolean => state === 'started' || state === 'unknown';

/** Returns the row of an operation with the highest seq. */
export function findNewest(rows: readonly GatewayCall[], operation: CallOperation): GatewayCall | null {
  const own = rows.filter((row) => row.operation === operation);
  return own.reduce<GatewayCall | null>((best, row) => (best && best.seq > row.seq ? best : row), null);
}
