import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import type { Payment } from '../domain/payment.ts';
import { toPayment, paymentValues, type PaymentRow } from './payment.row.ts';

const find = statement<PaymentRow>(
  'find-payment',
  'select * from payments where gateway = $1 and psp_reference = $2',
);

// The lock serialises two captures of one payment: the second sees the result of the first.
const lock = statement<PaymentRow>(
  'lock-payment',
  'select * from payments where gateway = $1 and psp_reference = $2 for update',
);

// Index payments_by_reference.
const listByReference = statement<PaymentRow>(
  'list-payments-by-reference',
  `select * from payments where gateway = $1 and account = $2 and reference = $3
    order by created_at desc, psp_reference desc limit 100`,
);

const insert = statement(
  'insert-payment',
  `insert into payments (gateway, psp_reference, account, payment_intent_id, reference, metadata, amount_minor,
     currency, status, authorised_minor, captured_minor, refunded_minor, pending_step, is_disputed,
     hold_expires_at, details, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
);

const save = statement(
  'save-payment',
  `update payments set metadata = $2, status = $3, authorised_minor = $4, captured_minor = $5,
     refunded_minor = $6, pending_step = $7, is_disputed = $8, hold_expires_at = $9, details = $10
   where psp_reference = $1`,
);

// A reference in the books is any of a payment's three names; each has its index.
const listForBooks = statement<PaymentRow>(
  'list-payments-for-books',
  `select * from payments
    where ($1::text is null or gateway = $1)
      and ($2::text is null or psp_reference = $2 or payment_intent_id = $2 or reference = $2)
    order by created_at desc, psp_reference desc limit $3`,
);

export async function findPayment(q: Queryable, gateway: PspCode, pspReference: string) {
  const [row] = await q.query(find, [gateway, pspReference]);
  return row && toPayment(row);
}

/** Reads and locks a payment until the transaction ends. */
export async function lockPayment(q: Queryable, gateway: PspCode, pspReference: string) {
  const [row] = await q.query(lock, [gateway, pspReference]);
  return row && toPayment(row);
}

export async function listPaymentsByReference(
  q: Queryable,
  gateway: PspCode,
  account: string,
  reference: string,
): Promise<Payment[]> {
  return (await q.query(listByReference, [gateway, account, reference])).map(toPayment);
}

export async function insertPayment(q: Queryable, payment: Payment): Promise<void> {
  await q.query(insert, paymentValues(payment));
}

export async function savePayment(q: Queryable, p: Payment): Promise<void> {
  await q.query(save, [
    p.pspReference,
    p.metadata,
    p.status,
    p.authorisedMinor,
    p.capturedMinor,
    p.refundedMinor,
    p.pendingStep,
    p.isDisputed,
    p.holdExpiresAt,
    p.details,
  ]);
}

/** Newest first; both filters are optional. */
export async function listPaymentsForBooks(
  q: Queryable,
  filter: { gateway: string | null; reference: string | null; limit: number },
): Promise<Payment[]> {
  return (await q.query(listForBooks, [filter.gateway, filter.reference, filter.limit])).map(toPayment);
}
