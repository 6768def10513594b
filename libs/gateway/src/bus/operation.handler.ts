import type { InboundMessage } from '@gp/bus';
import type { GatewayOperation } from '@gp/contracts';
import type { Order } from '../app/run-operation.ts';
import type { Question } from '../app/query-payment.ts';
import { currencyOf } from '../domain/subject.ts';

/** Reads an order of the ledger and hands it to its use case. */
export function handleOperation(o: {
  runOperation: (order: Order) => Promise<void>;
  queryPayment: (question: Question) => Promise<void>;
}): (order: GatewayOperation, message: InboundMessage) => Promise<void> {
  return async (order, { traceparent }) => {
    return order.operation === 'query'
      ? o.queryPayment(questionOf(order))
      : o.runOperation({ ...orderOf(order), operation: order.operation, traceparent: traceparent ?? null });
  };
}

function questionOf(m: GatewayOperation): Question {
  const payment = { ...paymentOf(m), currency: currencyOf(m.currency) };
  return { payment, credentialVersion: m.credential_version, operationId: m.operation_id };
}

function orderOf(m: GatewayOperation): Omit<Order, 'operation' | 'traceparent'> {
  return {
    ...paymentOf(m),
    currency: m.currency,
    seq: m.seq,
    operationId: m.operation_id,
    credentialVersion: m.credential_version,
    notAfter: m.not_after === null ? null : new Date(m.not_after),
    unlessAuthorised: m.unless_authorised,
    returnUrl: null,
  };
}

function paymentOf(m: GatewayOperation) {
  return {
    mode: m.mode,
    merchantId: m.merchant_id,
    groupId: m.group_id,
    intentId: m.intent_id,
    attemptId: m.attempt_id,
    amountMinor: BigInt(m.amount_minor),
    pspReference: m.psp_reference,
    sandboxFault: m.mode === 'test' ? m.sandbox_fault : null,
  };
}
