import type { Adapter, AdapterCore } from '../adapter.ts';
import { listAttemptsOfPayment } from '../db/attempts.ts';
import type { Attempt } from '../domain/attempt.ts';
import type {
  Account,
  Payment,
  PaymentOrder,
  QueryAnswer,
  Retryable,
  Truth,
  Unknown,
} from '../domain/payment.ts';
import { settle } from './conclude.ts';
import { verdict, type Verdict } from '../domain/verdict.ts';

/** `absent` only after the settle window; before, a payment that cannot be seen is `unknown`. */
export type Asked =
  { readonly kind: 'found'; readonly truth: Truth } | { readonly kind: 'absent' } | Unknown | Retryable;

/**
 * Asks the gateway what it knows of a payment. Where its reference never reached us the preparation is repeated
 * under its old key, which finds the payment or makes an empty one; what was never sent at all is absent.
 */
export async function ask<C>(adapter: Adapter<C>, payment: Payment, account: Account<C>): Promise<Asked> {
  const rows = await listAttemptsOfPayment(adapter.db, payment.attemptId);
  const origin = rows.find(({ operation }) => operation === 'authorise' || operation === 'prepare');
  if (payment.pspReference === null) {
    if (!origin || origin.state === 'declined' || origin.state === 'failed') return { kind: 'absent' };
    if (origin.operation === 'prepare') return askByPreparing(adapter, origin, payment, account);
  }
  return believe(adapter, await adapter.calls.query(payment, account), origin);
}

/** The payment with the reference the gateway gave it, wherever that was written down. */
export async function locate(adapter: AdapterCore, payment: Payment): Promise<Payment> {
  if (payment.pspReference !== null) return payment;
  const rows = await listAttemptsOfPayment(adapter.db, payment.attemptId);
  return { ...payment, pspReference: rows.find((row) => row.pspReference !== null)?.pspReference ?? null };
}

async function askByPreparing<C>(
  adapter: Adapter<C>,
  origin: Attempt,
  payment: Payment,
  account: Account<C>,
): Promise<Asked> {
  const order = orderOf(origin, payment);
  const deadline = Infinity;
  const answer = await adapter.calls.prepare(order, account, {
    idempotencyKey: origin.idempotencyKey,
    deadline,
  });
  switch (answer.kind) {
    case 'prepared': {
      const { pspReference } = answer;
      await record(adapter, origin, verdict('authenticating', 'approve', { pspReference }));
      return believe(adapter, await adapter.calls.query({ ...payment, pspReference }, account), origin);
    }
    case 'declined':
      await record(adapter, origin, verdict('declined', 'decline', { failure: answer.failure }));
      return { kind: 'absent' };
    case 'unknown':
    case 'retryable':
      // Whoever wants to release this payment asks again; nobody else has to.
      await record(adapter, origin, verdict('unknown', 'doubt'));
      return answer;
  }
}

/** A preparation moves no money: only its row learns of it. */
function record({ db }: AdapterCore, origin: Attempt, known: Verdict): Promise<boolean> {
  return settle(db, origin, known);
}

/** The order a preparation was sent with: under its key the body has to be the same. */
export function orderOf(origin: Attempt, payment: Payment): PaymentOrder {
  return {
    ...payment,
    amountMinor: origin.amountMinor,
    sandboxFault: origin.sandboxFault,
    description: origin.description ?? '',
  };
}

function believe<C>(
  { clock, settings }: Adapter<C>,
  answer: QueryAnswer,
  origin: Attempt | undefined,
): Asked {
  if (answer.kind !== 'absent' || !origin) return answer;
  const ageMs = clock.now().getTime() - origin.startedAt.getTime();
  return ageMs < settings.settleWindowMs ? { kind: 'unknown', reason: 'not visible yet' } : answer;
}
