import type { Truth } from '@gp/gateway';
import {
  buildResponseFailure,
  isCancelled,
  isConfirmed,
  isRefunded,
  classifyResponse,
  TYPES,
} from './outcome.ts';

/** One operation on an order as the gateway lists it, amounts in minor units. */
export type OperationView = {
  readonly type: string;
  /** S requested, A being authenticated, P being authorised, F finished. */
  readonly state: string;
  /** Four digits; null before there is a response. */
  readonly response: string | null;
  readonly amount: bigint;
  /** ISO code. */
  readonly currency: string;
  readonly at: Date;
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** Pre-authorisations are kept for exactly this long; it cannot be extended. */
export const HOLD_LIFETIME_MS = 7 * DAY_MS;
/** The bank's page waits this long for the payer. */
export const FORM_LIFETIME_MS = 30 * 60 * 1000;
/** The gateway states times in whole minutes: the hold may live to the end of the stated one. */
const ROUNDING_MS = 60_000;

/**
 * Converts the operations on an order to the shape that all adapters share. Undefined without a result: the payer
 * has not acted on the bank's page, or has left it.
 */
export function deriveTruth(
  order: string,
  operations: readonly OperationView[],
  now: Date,
): Truth | undefined {
  const tries = operations.filter(({ type }) => type === TYPES.preauthorise);
  const held = tries.find(({ response }) => response !== null && classifyResponse(response) === 'approved');
  const last = held ?? tries.at(-1);
  const status = last && deriveStatus(last, held !== undefined, operations, now);
  if (!status) return undefined;
  const captured = operations.find((o) => o.type === TYPES.confirm && isConfirmed(o.response ?? ''));
  const refunded = operations.filter((o) => o.type === TYPES.refund && isRefunded(o.response ?? ''));
  return {
    pspReference: order,
    status,
    amountMinor: last.amount,
    capturedMinor: captured?.amount ?? 0n,
    refundedMinor: refunded.reduce((total, { amount }) => total + amount, 0n),
    currency: last.currency,
    captureBefore: held ? new Date(held.at.getTime() + HOLD_LIFETIME_MS) : null,
    // An order permits one try.
    isOpenToPayer: false,
    // Disputes are reported to the merchant by post and by report, never by this interface.
    isDisputed: null,
    failure: status === 'declined' ? buildResponseFailure(last.response ?? '') : null,
    actions: [],
  };
}

function deriveStatus(
  last: OperationView,
  isHeld: boolean,
  operations: readonly OperationView[],
  now: Date,
): Truth['status'] | undefined {
  if (!isHeld) return deriveOpenStatus(last, now);
  if (operations.some((o) => o.type === TYPES.confirm && isConfirmed(o.response ?? ''))) return 'captured';
  if (operations.some((o) => o.type === TYPES.cancel && isCancelled(o.response ?? ''))) return 'voided';
  const ageMs = now.getTime() - last.at.getTime();
  return ageMs > HOLD_LIFETIME_MS + ROUNDING_MS ? 'lapsed' : 'authorised';
}

function deriveOpenStatus({ state, response, at }: OperationView, now: Date): Truth['status'] | undefined {
  if (response !== null) return classifyResponse(response) === 'declined' ? 'declined' : 'processing';
  if (state === 'P') return 'processing';
  const isOver = now.getTime() - at.getTime() > FORM_LIFETIME_MS + ROUNDING_MS;
  return state === 'A' && !isOver ? 'authenticating' : undefined;
}
