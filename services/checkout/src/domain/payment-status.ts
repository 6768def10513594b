import type { IntentView } from '@gp/contracts';

/** A payment as whoever began it may see it. */
export type PaymentStatus = {
  readonly payment_intent_id: string;
  readonly status: 'pending' | 'held' | 'captured' | 'failed' | 'released';
  readonly failure_code: string | null;
  readonly slot_ids: readonly string[];
};

const STATUS: Readonly<Record<IntentView['state'], PaymentStatus['status']>> = {
  created: 'pending',
  processing: 'pending',
  preauthorised: 'held',
  // The money is on its way; a capture that fails is tried again or given up, and tells then.
  capture_pending: 'held',
  captured: 'captured',
  refund_pending: 'captured',
  refunded: 'captured',
  failed: 'failed',
  capture_failed: 'failed',
  void_pending: 'released',
  voided: 'released',
};

/** What became of a payment. While the gateway's answer is not known it is pending, whatever it was before. */
export function statusOf(intent: IntentView): PaymentStatus {
  return {
    payment_intent_id: intent.id,
    status: intent.unknown ? 'pending' : STATUS[intent.state],
    failure_code: intent.failure?.code ?? null,
    slot_ids: intent.slot_ids,
  };
}
