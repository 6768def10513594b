import { createHmac } from 'node:crypto';
import { type Action, type Callback, newId } from '@gp/psp-sandbox/kit';
import type { PaymentB } from './payment.ts';

export type EventType =
  | 'payment_approved'
  | 'payment_declined'
  | 'payment_pending'
  | 'payment_captured'
  | 'payment_capture_declined'
  | 'payment_voided'
  | 'payment_void_declined'
  | 'payment_refunded'
  | 'payment_refund_declined'
  | 'payment_expired'
  | 'dispute_received'
  | 'dispute_won';

/** Only reports progress; faults of callbacks apply to the other events. */
const PROGRESS: readonly EventType[] = ['payment_pending'];

/** Returns the event for a change of the payment, or of one of its steps. */
export function buildEvent(p: PaymentB, type: EventType, at: Date, action?: Action): Callback {
  const id = newId('evt_');
  const { response } = p.details;
  const amountMinor = action?.amountMinor ?? (p.authorisedMinor > 0n ? p.authorisedMinor : p.amountMinor);
  const isGood = action === undefined || action.status === 'succeeded';
  const body = {
    id,
    type,
    version: '1.0.0',
    created_on: at.toISOString(),
    data: {
      id: p.pspReference,
      action_id: action?.id ?? p.details.actionId,
      amount: Number(amountMinor),
      currency: p.currency,
      reference: action?.reference ?? p.reference,
      processing_channel_id: p.account,
      response_code: action ? (isGood ? '10000' : '20005') : response?.code,
      response_summary: action ? (isGood ? 'Approved' : 'Declined - Do not honour') : response?.summary,
      processed_on: at.toISOString(),
      metadata: { ...p.metadata, ...action?.metadata },
    },
    _links: { payment: { href: `/payments/${p.pspReference}` } },
  };
  return { id, type, body, isOutcome: !PROGRESS.includes(type) };
}

/** Returns the signature header: an HMAC over the exact body. */
export function signedHeaders(body: string, secret: string, _at: Date): Record<string, string> {
  return { 'Cko-Signature': createHmac('sha256', secret).update(body).digest('hex') };
}
