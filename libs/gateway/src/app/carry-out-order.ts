import { decodePaymentRef, type GatewayOperation } from '@gp/contracts';
import type { Adapter } from '../adapter.ts';
import { decodePayment } from '../domain/gateway-payment.ts';
import { queryPayment, type Question } from './query-payment.ts';
import { runOperation, type OperationRequest } from './run-operation.ts';

/** Passes an order of the ledger to its use case. */
export async function carryOutOrder<C>(
  adapter: Adapter<C>,
  order: GatewayOperation,
  traceparent: string | null,
): Promise<void> {
  const { operation } = order;
  if (operation === 'query') await queryPayment(adapter)(decodeQuestion(order));
  else await runOperation(adapter)({ ...toRequest(order), operation, traceparent });
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
