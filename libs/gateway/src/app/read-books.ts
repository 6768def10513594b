import type {
  AskedPayment,
  BookedPayment,
  readBooks as contract,
  RequestOf,
  ResponseOf,
} from '@gp/contracts';
import type { Adapter } from '../adapter.ts';
import { listPaymentCalls } from '../db/gateway-calls.ts';
import { listExternalAmounts } from '../db/external-amounts.ts';
import { toPaymentMoney } from '../domain/booked.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { Payment } from '../domain/payment.ts';
import { decodePayment } from '../domain/gateway-payment.ts';
import { ask, locate } from './ask.ts';
import { between } from '../fail-points.ts';
import { applyTruth } from './apply-truth.ts';
import { repeatResult } from './run-operation.ts';

type Contract = ReturnType<typeof contract>;
type Scope = Pick<Payment, 'merchantId' | 'mode'>;

/**
 * Reads payments in the gateway's books. Facts that the ledger has not are sent to it as if a callback had come,
 * so that a lost callback only costs a day (C6, E8), and so are results of orders that it still waits for.
 */
export function readBooks<C>(adapter: Adapter<C>): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async ({ merchant_id: merchantId, mode, payments }) => {
    const read = (asked: AskedPayment) => readPayment(adapter, { merchantId, mode }, asked);
    return {
      payments: await between(adapter.psp, 'books-read', () => Promise.all(payments.map(read))),
    };
  };
}

async function readPayment<C>(adapter: Adapter<C>, scope: Scope, o: AskedPayment): Promise<BookedPayment> {
  const { attempt_id } = o;
  const before = await listPaymentCalls(adapter.db, attempt_id);
  const externalBefore = await listExternalAmounts(adapter.db, attempt_id);
  const { merchantId: merchant_id, mode } = scope;
  const named = decodePayment({ ...o, merchant_id, mode, seq: 1, sandbox_fault: null });
  const payment = await locate(adapter, named.payment);
  const account = await adapter.accounts.get({ ...scope, version: o.credential_version });
  const asked = await ask(adapter, payment, account);
  if (asked.kind === 'absent') return { attempt_id, answer: 'absent', money: null, currency: null };
  if (asked.kind !== 'found') return { attempt_id, answer: 'unanswered', money: null, currency: null };
  const { truth } = asked;
  const subject = { ...payment, currency: o.currency };
  await applyTruth(adapter, { subject, truth, source: 'query', before, externalBefore });
  await repeatAwaited(adapter, before, o.awaited ?? []);
  return { attempt_id, answer: 'found', money: toPaymentMoney(truth), currency: truth.currency };
}

/** Sends results again that the ledger lacks, although they were settled before the gateway was queried (F9). */
async function repeatAwaited<C>(
  adapter: Adapter<C>,
  before: readonly GatewayCall[],
  awaited: readonly string[],
): Promise<void> {
  const settled = before.filter(
    ({ operationId, state }) => awaited.includes(operationId) && state !== 'started' && state !== 'unknown',
  );
  for (const row of settled) await repeatResult(adapter, row);
}
