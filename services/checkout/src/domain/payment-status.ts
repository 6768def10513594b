import { findDeclineReason, type IntentView, type ToldDeclineReason } from '@gp/contracts';

/** A payment as its payer may see it. */
export type PaymentStatus = {
  readonly payment_intent_id: string;
  readonly status: 'pending' | 'held' | 'captured' | 'capture_failed' | 'failed' | 'released';
  readonly failure_code: string | null;
  readonly decline_reason: ToldDeclineReason | null;
  readonly slot_ids: readonly string[];
};

const STATUS: Readonly<Record<IntentView['state'], PaymentStatus['status']>> = {
  created: 'pending',
  processing: 'pending',
  preauthorised: 'held',
  // The payer need not act: a capture that fails or is unknown is retried or given up, and the status then
  // changes.
  capture_pending: 'held',
  captured: 'captured',
  refund_pending: 'captured',
  refunded: 'captured',
  // The hold existed: unlike a declined card this is final for the payer, and never refers to an earlier card.
  capture_failed: 'capture_failed',
  failed: 'failed',
  void_pending: 'released',
  voided: 'released',
};

/** Returns the status of a payment: pending while a hold is unknown; an unknown charge keeps its hold. */
export function toPaymentStatus(intent: IntentView): PaymentStatus {
  const status = STATUS[intent.state];
  const isHeld = status === 'held' || status === 'captured';
  return {
    payment_intent_id: intent.id,
    status: intent.unknown && !isHeld ? 'pending' : status,
    failure_code: intent.failure?.code ?? null,
    decline_reason: findDeclineReason(intent.failure),
    slot_ids: intent.slot_ids,
  };
}
