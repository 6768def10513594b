import { on, type ConsumeOptions, type DeadMessage, type InboundMessage } from '@gp/bus';
import { GATEWAY_OPERATIONS, gatewayOperation, type GatewayOperation } from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Adapter } from '../adapter.ts';
import { insertOrder, type OrderQueue } from '../db/waiting-orders.ts';
import { between } from '../fail-points.ts';
import { nameConsumer } from './access.ts';

/** Orders being stored at once, per operation. */
const IN_FLIGHT = 32;

/**
 * Every durable command that an adapter consumes. An order is stored and acknowledged; a loop carries it out, since the
 * bus cannot pick messages by merchant.
 */
export function subscriptions<C>(
  adapter: Adapter<C>,
  onStored: (queue: OrderQueue) => void = () => undefined,
): ConsumeOptions[] {
  const { psp, db, settings } = adapter;
  const store = async (payload: GatewayOperation, message: InboundMessage): Promise<void> => {
    const { id: message_id, subject, traceparent = null } = message;
    await between(psp, 'order-store', () => insertOrder(db, { message_id, subject, payload, traceparent }));
    const { mode, merchant_id: merchantId, operation } = payload;
    onStored({ mode, merchantId, operation });
  };
  const common = {
    maxInFlight: IN_FLIGHT,
    ackWaitMs: settings.leaseMs,
    // Orders of one intent are stored in the order in which they were sent.
    toOrderingKey: ({ intent_id }: { readonly intent_id: string }) => intent_id,
    onDead: (dead: DeadMessage) => recordDeadLetter(db, dead),
    healthy: () =>
      db.ping().then(
        () => true,
        () => false,
      ),
  };
  return GATEWAY_OPERATIONS.map((operation) =>
    on(gatewayOperation(psp, operation), { durable: nameConsumer(psp, operation), ...common }, store),
  );
}
