import type { Adapter, AdapterCore } from '../adapter.ts';
import { listPaymentCalls } from '../db/gateway-calls.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { GatewayAccount, Payment, QueryAnswer } from '../domain/payment.ts';

/**
 * Queries the gateway for a payment. Returns `absent` only when nobody can have paid: nothing was sent, or the
 * payment stayed invisible for the settle window; before that it is `unknown`.
 */
export async function ask<C>(
  adapter: Adapter<C>,
  payment: Payment,
  account: GatewayAccount<C>,
): Promise<QueryAnswer> {
  const rows = await listPaymentCalls(adapter.db, payment.attemptId);
  const origin = rows.find(({ operation }) => operation === 'authorise' || operation === 'prepare');
  const unanswered = payment.pspReference === null ? withoutReference(origin) : undefined;
  if (unanswered) return unanswered;
  const answer = await adapter.calls.query(payment, account);
  if (answer.kind !== 'absent' || !origin) return answer;
  const ageMs = adapter.clock.now().getTime() - origin.startedAt.getTime();
  return ageMs < adapter.settings.settleWindowMs ? { kind: 'unknown', reason: 'not visible yet' } : answer;
}

/** Returns what is known without a query while the gateway's reference never reached us. */
function withoutReference(origin: GatewayCall | undefined): QueryAnswer | undefined {
  if (!origin || origin.state === 'declined' || origin.state === 'failed') return { kind: 'absent' };
  if (origin.operation === 'authorise') return undefined;
  // The payer's page gets its secret after the reference was stored: without a reference, nobody could pay.
  return origin.state === 'started' ? { kind: 'unknown', reason: 'being prepared' } : { kind: 'absent' };
}

/** Adds the reference that the gateway gave to the payment, from whichever row stores it. */
export async function locate(adapter: AdapterCore, payment: Payment): Promise<Payment> {
  if (payment.pspReference !== null) return payment;
  const rows = await listPaymentCalls(adapter.db, payment.attemptId);
  return { ...payment, pspReference: rows.find((row) => row.pspReference !== null)?.pspReference ?? null };
}
