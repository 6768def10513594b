import { buildFailure, type Action, type EffectOperation, type Truth } from '@gp/gateway';
import { buildResponseFailure } from './outcome.ts';

/** A payment as the processor shows it, amounts in minor units. */
export type PaymentView = {
  readonly id: string;
  readonly status: string;
  readonly amount: bigint;
  readonly authorised: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
  readonly currency: string;
  readonly responseCode: string | null;
  /** The issuer waits for the payer on a page of its own. */
  readonly hasRedirect: boolean;
  /** That page; null when it is not named. */
  readonly challengeUrl: string | null;
  /** The payer can be sent to that page: there is an address to come back to. Without one the card counts as refused. */
  readonly canBeAuthenticated: boolean;
  readonly expiresOn: Date | null;
};

export type ActionView = {
  readonly type: string;
  readonly reference: string | null;
  readonly isApproved: boolean;
  readonly amount: bigint;
};

/** Converts the processor's view of a payment to the shape that all adapters share. */
export function deriveTruth(payment: PaymentView, actions: readonly ActionView[]): Truth {
  const status = deriveStatus(payment);
  return {
    pspReference: payment.id,
    status,
    amountMinor: payment.authorised > 0n ? payment.authorised : payment.amount,
    capturedMinor: payment.captured,
    refundedMinor: payment.refunded,
    currency: payment.currency,
    captureBefore: payment.expiresOn,
    // A payment that waits for authentication can still be authorised until it is voided.
    isOpenToPayer: payment.hasRedirect && payment.status === 'Pending',
    ...(payment.challengeUrl !== null && { challengeUrl: payment.challengeUrl }),
    // Disputes are reported by callback only.
    isDisputed: null,
    failure: status === 'declined' ? buildDeclineFailure(payment) : null,
    actions: actions.flatMap(deriveActions),
  };
}

function deriveStatus({ status, hasRedirect, canBeAuthenticated }: PaymentView): Truth['status'] {
  switch (status) {
    case 'Pending':
      if (!hasRedirect) return 'processing';
      return canBeAuthenticated ? 'authenticating' : 'declined';
    case 'Authorized':
      return 'authorised';
    case 'Declined':
      return 'declined';
    case 'Captured':
    case 'Partially Captured':
    case 'Refunded':
    case 'Partially Refunded':
      return 'captured';
    case 'Voided':
    case 'Canceled':
      return 'voided';
    case 'Expired':
      return 'lapsed';
    default:
      // A status of a later version: not decided as far as we know.
      return 'processing';
  }
}

function buildDeclineFailure({ status, responseCode }: PaymentView) {
  return status === 'Pending'
    ? buildFailure('authentication_required')
    : buildResponseFailure(responseCode ?? '');
}

const OPERATIONS: Readonly<Record<string, EffectOperation>> = {
  Capture: 'capture',
  Void: 'void',
  Refund: 'refund',
};

/** Only finished steps are listed; one that was accepted a moment ago is not among them. */
function deriveActions({ type, reference, isApproved, amount }: ActionView): Action[] {
  const operation = OPERATIONS[type];
  if (!operation) return [];
  return [
    { operation, reference, state: isApproved ? 'succeeded' : 'failed', amountMinor: amount, failure: null },
  ];
}
