import type { InboundMessage } from '@gp/bus';
import { decodePaymentRef, type GatewayOperation } from '@gp/contracts';
import type { OperationRequest } from '../app/run-operation.ts';
import type { Question } from '../app/query-payment.ts';
import { decodePayment } from '../domain/subject.ts';

/** Parses an order of the ledger and passes it to its use case. */
export function handleOperation(o: {
  runOperation: (order: OperationRequest) => Promise<void>;
  queryPayment: (question: Question) => Promise<void>;
}): (order: GatewayOperation, message: InboundMessage) => Promise<void> {
  return async (order, { traceparent }) => {
    return order.operation === 'query'
      ? o.queryPayment(decodeQuestion(order))
      : o.runOperation({ ...toRequest(order), operation: order.operation, traceparent: traceparent ?? null });
  };
}

function decodeQuestion(m: GatewayOperation): Question {
  const { payment, credentialVersion } = decodePayment(m);
  return { payment, credentialVersion, operationId: m.operation_id };
}

function toRequest(m: GatewayOperation): Omit<OperationRequest, 'operation' | 'traceparent'> {
  return {
    ...decodePaymentRef(m),
    pspReference: m.psp_reference,
    operationId: m.operation_id,
    notAfter: m.not_after === null ? null : new Date(m.not_after),
    unlessAuthorised: m.unless_authorised,
    returnUrl: null,
  };
}
