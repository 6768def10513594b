import type { Action, Truth } from '@gp/gateway';
import { buildCardFailure } from './outcome.ts';

/** A PaymentIntent, its newest charge and its refunds, as far as they concern us; amounts in our minor units. */
export type IntentView = {
  readonly id: string;
  readonly status: string;
  readonly cancellationReason: string | null;
  readonly amount: bigint;
  readonly amountCapturable: bigint;
  readonly amountReceived: bigint;
  readonly currency: string;
  readonly lastError: { readonly code: string; readonly declineCode: string | null } | null;
  readonly charge: {
    readonly amount: bigint;
    /** The gateway keeps it true when a dispute is over. */
    readonly wasDisputed: boolean;
    /** Unix seconds. */
    readonly captureBefore: number | null;
  } | null;
  readonly refunds: readonly RefundView[];
  /** The statuses of its disputes. */
  readonly disputes: readonly string[];
};

/** The ends of a dispute that leave the money with the merchant; an inquiry is closed, a chargeback is won or prevented. */
const WITHOUT_LOSS: ReadonlySet<unknown> = new Set(['won', 'warning_closed', 'prevented']);

export const isEndedWithoutLoss = (status: unknown): boolean => WITHOUT_LOSS.has(status);

export type RefundView = {
  readonly amount: bigint;
  readonly status: string | null;
  /** The key we sent it with, from its metadata. */
  readonly key: string | null;
  readonly failureReason: string | null;
};

/** Converts the gateway's view of a payment to the shape that all adapters share. */
export function deriveTruth(intent: IntentView): Truth {
  const { charge, status } = intent;
  return {
    pspReference: intent.id,
    status: deriveStatus(intent),
    amountMinor: computeHeldAmount(intent),
    capturedMinor: intent.amountReceived,
    refundedMinor: sum(intent.refunds.filter((refund) => refund.status === 'succeeded')),
    currency: intent.currency,
    captureBefore: charge?.captureBefore ? new Date(charge.captureBefore * 1000) : null,
    isOpenToPayer: status.startsWith('requires_') && status !== 'requires_capture',
    isDisputed: charge?.wasDisputed ? !intent.disputes.every(isEndedWithoutLoss) : null,
    failure: intent.lastError && buildCardFailure(intent.lastError),
    actions: intent.refunds.map(deriveAction),
  };
}

function deriveStatus({ status, lastError, cancellationReason }: IntentView): Truth['status'] {
  switch (status) {
    case 'requires_payment_method':
      return lastError ? 'declined' : 'awaiting_payer';
    case 'requires_confirmation':
      return 'awaiting_payer';
    case 'requires_action':
      return 'authenticating';
    case 'requires_capture':
      return 'authorised';
    case 'succeeded':
      return 'captured';
    case 'canceled':
      // `expired` and `automatic` are set by the gateway when a hold reaches its end.
      return cancellationReason === 'expired' || cancellationReason === 'automatic' ? 'lapsed' : 'voided';
    default:
      // `processing`, and whatever a later version adds: not decided as far as we know.
      return 'processing';
  }
}

/** Returns the amount that is or was held; without a hold, the requested amount. */
function computeHeldAmount({ status, amount, amountCapturable, charge }: IntentView): bigint {
  if (status === 'requires_capture') return amountCapturable;
  return status === 'succeeded' && charge ? charge.amount : amount;
}

function deriveAction({ key, status, amount, failureReason }: RefundView): Action {
  return {
    operation: 'refund',
    reference: key,
    state: deriveActionState(status),
    amountMinor: amount,
    failure: failureReason === null ? null : buildCardFailure({ code: failureReason, declineCode: null }),
  };
}

function deriveActionState(status: string | null): Action['state'] {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

const sum = (refunds: readonly RefundView[]): bigint =>
  refunds.reduce((total, { amount }) => total + amount, 0n);
