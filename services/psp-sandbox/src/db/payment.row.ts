import type { Payment } from '../domain/payment.ts';

export type PaymentRow = {
  gateway: Payment['gateway'];
  psp_reference: string;
  account: string;
  payment_intent_id: string | null;
  reference: string | null;
  metadata: Record<string, string>;
  amount_minor: bigint;
  currency: string;
  status: Payment['status'];
  authorised_minor: bigint;
  captured_minor: bigint;
  refunded_minor: bigint;
  pending_step: Payment['pendingStep'];
  is_disputed: boolean;
  hold_expires_at: Date | null;
  details: unknown;
  created_at: Date;
};

export function toPayment(row: PaymentRow): Payment {
  return {
    gateway: row.gateway,
    pspReference: row.psp_reference,
    account: row.account,
    paymentIntentId: row.payment_intent_id,
    reference: row.reference,
    metadata: row.metadata,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    authorisedMinor: row.authorised_minor,
    capturedMinor: row.captured_minor,
    refundedMinor: row.refunded_minor,
    pendingStep: row.pending_step,
    isDisputed: row.is_disputed,
    holdExpiresAt: row.hold_expires_at,
    details: row.details,
    createdAt: row.created_at,
  };
}

/** Returns the values of an insert, in the table's order. */
export const paymentValues = (p: Payment): unknown[] => [
  p.gateway,
  p.pspReference,
  p.account,
  p.paymentIntentId,
  p.reference,
  p.metadata,
  p.amountMinor,
  p.currency,
  p.status,
  p.authorisedMinor,
  p.capturedMinor,
  p.refundedMinor,
  p.pendingStep,
  p.isDisputed,
  p.holdExpiresAt,
  p.details,
  p.createdAt,
];
