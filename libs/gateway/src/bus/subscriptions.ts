import { on, type ConsumeOptions, type DeadMessage } from '@gp/bus';
import { GATEWAY_OPERATIONS, gatewayOperation } from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Adapter } from '../adapter.ts';
import { queryPayment } from '../app/query-payment.ts';
import { runOperation } from '../app/run-operation.ts';
import { handleOperation } from './operation.handler.ts';

/**
 * Orders in hand at once, per operation: each operation has its own consumer, so that a thousand voids cannot
 * delay a capture. Orders beyond the account's budget only wait.
 */
const IN_FLIGHT = 32;

/** Every durable command that an adapter consumes. */
export function subscriptions<C>(adapter: Adapter<C>): ConsumeOptions[] {
  const { psp, db, settings } = adapter;
  const handler = handleOperation({
    runOperation: runOperation(adapter),
    queryPayment: queryPayment(adapter),
  });
  const common = {
    maxInFlight: IN_FLIGHT,
    // Orders of a replica that died are redelivered when the leases of its rows end.
    ackWaitMs: settings.leaseMs,
    toOrderingKey: ({ intent_id }: { readonly intent_id: string }) => intent_id,
    onDead: (dead: DeadMessage) => recordDeadLetter(db, dead),
    healthy: () =>
      db.ping().then(
        () => true,
        () => false,
      ),
  };
  return GATEWAY_OPERATIONS.map((operation) =>
    on(gatewayOperation(psp, operation), { durable: `${psp}-${operation}`, ...common }, handler),
  );
}
