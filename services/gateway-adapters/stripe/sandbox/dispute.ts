import { buildChargeId, type PaymentA } from './payment.ts';

/** Returns the dispute of a payment: a card holder's bank begins one at most. */
export function buildDispute(p: PaymentA) {
  return {
    id: p.pspReference.replace(/^pi_/, 'dp_'),
    object: 'dispute',
    amount: Number(p.capturedMinor),
    charge: buildChargeId(p),
    created: p.details.chargedAt,
    currency: p.currency,
    livemode: false,
    metadata: {},
    payment_intent: p.pspReference,
    reason: 'fraudulent',
    status: p.isDisputed ? 'needs_response' : 'won',
  };
}
