import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { findManifest, toProcessName, type PspCode } from '@gp/gateway-registry';

/** Returns what the adapter of a gateway does on the bus; `npm run generate` writes its permissions from this. */
export function buildAdapterAccess(psp: PspCode): BusAccess {
  return {
    name: toProcessName(psp),
    serves: [
      contracts.prepareIntent(psp),
      contracts.putCredentials(psp),
      contracts.verifyCredentials(psp),
      contracts.readBooks(psp),
      contracts.findUnknownPayments(psp),
      contracts.findPaymentByReference(psp),
      ...(findManifest(psp).card ? [contracts.confirmIntent(psp)] : []),
      ...contracts.operatorCalls(psp),
      ...contracts.testClockCalls(psp),
    ],
    calls: [contracts.recordOutcome],
    publishes: contracts.outcomeRecorded.filters,
    consumes: contracts.GATEWAY_OPERATIONS.map((operation) => ({
      durable: nameConsumer(psp, operation),
      ...contracts.gatewayOperation(psp, operation),
    })),
  };
}

/** Returns the name of the durable consumer of an adapter's orders of one kind. */
export function nameConsumer(psp: PspCode, operation: contracts.GatewayOperationName): string {
  return `${psp}-${operation}`;
}
