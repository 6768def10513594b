import Type, { type Static } from '@gp/bundled/typebox';
import { rpc } from '../contract.ts';
import { CurrencyCode, Instant, Minor, Mode, Nullable, OneOf, PspCode, Scope, Uuid } from '../common.ts';

/** The held, captured and refunded amounts of one payment, in the minor units of its currency. */
export const PaymentMoney = Type.Object({ held_minor: Minor, captured_minor: Minor, refunded_minor: Minor });
export type PaymentMoney = Static<typeof PaymentMoney>;

const AskedPayment = Type.Object({
  group_id: Uuid,
  intent_id: Uuid,
  attempt_id: Uuid,
  psp_reference: Nullable(Type.String()),
  amount_minor: Minor,
  currency: CurrencyCode,
  credential_version: Type.Integer({ minimum: 1 }),
  /** Orders of which the ledger has no result: the adapter sends it again where it has one. */
  awaited: Type.Optional(Type.Array(Uuid)),
});
export type AskedPayment = Static<typeof AskedPayment>;

/** `absent` is a positive "no such payment", `unanswered` means that the gateway could not be queried now. */
export const BookedPayment = Type.Object({
  attempt_id: Uuid,
  answer: OneOf(['found', 'absent', 'unanswered']),
  /** Null unless found. */
  money: Nullable(PaymentMoney),
  currency: Nullable(CurrencyCode),
});
export type BookedPayment = Static<typeof BookedPayment>;

/** Payments in one message: at twenty queries a second, a second's worth. */
export const MAX_ASKED = 20;

/**
 * Reads payments in a gateway's own books, within the account's budget. The adapter sends new facts to the ledger
 * as it always does, so that reading also repairs.
 */
export const readBooks = (psp: PspCode) =>
  rpc(`rpc.${psp}.books.read.v1`, {
    request: Type.Object({
      ...Scope,
      payments: Type.Array(AskedPayment, { minItems: 1, maxItems: MAX_ASKED }),
    }),
    response: Type.Object({ payments: Type.Array(BookedPayment) }),
    repeatable: true,
  });

/** References in one message about payments that may be unknown here. */
export const MAX_REFERENCES = 500;

/**
 * Returns those of a gateway's payments that are unknown here, and opens a task `unknown_payment` for each: a
 * comparison starts from our own payments and never finds them. They are the payments that a restored database has
 * lost.
 */
export const findUnknownPayments = (psp: PspCode) =>
  rpc(`rpc.${psp}.books.find-strays.v1`, {
    operator: 'act',
    request: Type.Object({
      ...Scope,
      psp_references: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: MAX_REFERENCES,
      }),
    }),
    response: Type.Object({ known: Type.Integer(), strays: Type.Array(Type.String()) }),
  });

/** Returns the payments that a gateway calls by this reference, of whichever merchant and mode; none where it is unknown here. */
export const findPaymentByReference = (psp: PspCode) =>
  rpc(`rpc.${psp}.payments.find.v1`, {
    operator: 'read',
    request: Type.Object({ psp_reference: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: Type.Object({
      payments: Type.Array(Type.Object({ ...Scope, group_id: Uuid, intent_id: Uuid })),
    }),
  });

const Sums = Type.Object({ expected: PaymentMoney, actual: PaymentMoney });

/** One comparison of the ledger's postings with a gateway's books, of one merchant in one mode. */
export const Reconciliation = Type.Object({
  id: Uuid,
  ...Scope,
  psp_code: PspCode,
  /** `reading` goes through all payments, `settling` reads those that differed again. */
  state: OneOf(['reading', 'settling', 'done', 'failed']),
  requested_by: Type.String(),
  started_at: Instant,
  finished_at: Nullable(Instant),
  payments: Type.Integer(),
  agreed: Type.Integer(),
  /** Differed first and agreed after the ledger had received the facts. */
  repaired: Type.Integer(),
  /** Differ, while an order of ours is still on its way. */
  pending: Type.Integer(),
  /** Differ, and became an operator task. */
  raised: Type.Integer(),
  unanswered: Type.Integer(),
  /** By currency. */
  sums: Type.Record(Type.String(), Sums),
});
export type Reconciliation = Static<typeof Reconciliation>;

export const ReconciliationDifference = Type.Object({
  group_id: Uuid,
  intent_id: Uuid,
  attempt_id: Uuid,
  currency: CurrencyCode,
  expected: PaymentMoney,
  /** Null when the gateway has no such payment. */
  actual: Nullable(PaymentMoney),
  outcome: OneOf(['seen', 'repaired', 'pending', 'raised']),
});

/** Begins a comparison, or returns the one in progress. */
export const startReconciliation = rpc('rpc.ledger.reconciliations.start.v1', {
  operator: 'act',
  request: Type.Object({ ...Scope, psp_code: PspCode }),
  response: Reconciliation,
});

/** Returns a report with its differences; errors: not_found. */
export const findReconciliation = rpc('rpc.ledger.reconciliations.find.v1', {
  operator: 'read',
  request: Type.Object({ id: Uuid }),
  response: Type.Object({ run: Reconciliation, differences: Type.Array(ReconciliationDifference) }),
});

/** Lists reports, newest first. */
export const listReconciliations = rpc('rpc.ledger.reconciliations.list.v1', {
  operator: 'read',
  request: Type.Object({
    merchant_id: Type.Optional(Scope.merchant_id),
    mode: Type.Optional(Mode),
    limit: Type.Integer({ minimum: 1, maximum: 200 }),
  }),
  response: Type.Object({ runs: Type.Array(Reconciliation) }),
});
