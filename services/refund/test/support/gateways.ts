import { randomUUID } from 'node:crypto';
import type { Bus } from '@gp/bus';
import { pspCodes, recordOutcome, type GatewayOperation, type Outcome, type PspCode } from '@gp/contracts';

/** The gateway's answer to a refund; `silence` is no answer until the test gives one. */
export type Says = 'refunded' | 'failed' | 'unknown' | 'retryable' | 'silence';

export const refusal = { code: 'gateway_refused', message: 'the card account is closed', retryable: false };

/**
 * Plays the adapters on the bus: they capture and void what the ledger orders, and refund each payment as `says` has it,
 * `refunded` unless said otherwise.
 */
export function playGateways(bus: Bus) {
  const says = new Map<string, Says>();
  const orders: (GatewayOperation & { psp: PspCode })[] = [];
  const tell = (order: GatewayOperation, psp: PspCode, status: Outcome['status']): Promise<unknown> =>
    bus.call(recordOutcome, buildOutcome(order, psp, status));
  const answer = async (order: GatewayOperation, psp: PspCode): Promise<void> => {
    // An order comes at least once: one that comes again is no second one.
    if (!orders.some(({ operation_id }) => operation_id === order.operation_id))
      orders.push({ ...order, psp });
    if (order.operation === 'capture') return void (await tell(order, psp, 'captured'));
    if (order.operation === 'void') return void (await tell(order, psp, 'voided'));
    const said = says.get(order.intent_id) ?? 'refunded';
    if (order.operation === 'refund' && said !== 'silence') await tell(order, psp, said);
  };
  const hearing = pspCodes.map((psp) =>
    bus.consume({
      durable: `played-${psp}`,
      stream: 'COMMANDS',
      filters: [`cmd.${psp}.payment.>`],
      maxInFlight: 16,
      handler: (message) => answer(message.payload as GatewayOperation, psp),
      onDead: () => Promise.resolve(),
    }),
  );
  const listRefundOrders = (intentId: string) =>
    orders.filter((order) => order.operation === 'refund' && order.intent_id === intentId);
  return {
    /** Sets the gateway's answer to the refund of this payment. */
    will: (intentId: string, said: Says) => void says.set(intentId, said),
    listRefundOrders,
    /** Says how the refund that was ordered last ended. */
    async ends(intentId: string, status: 'refunded' | 'failed'): Promise<void> {
      const order = listRefundOrders(intentId).at(-1);
      if (!order) throw new Error('no refund was ordered');
      await tell(order, order.psp, status);
    },
    async close() {
      await Promise.all(hearing.map((each) => each.close()));
    },
  };
}

function buildOutcome(order: GatewayOperation, psp_code: PspCode, status: Outcome['status']): Outcome {
  const { merchant_id, mode, group_id, intent_id, attempt_id, operation, operation_id, currency } = order;
  const isDone = status === 'captured' || status === 'voided' || status === 'refunded';
  return {
    message_id: randomUUID(),
    merchant_id,
    mode,
    group_id,
    intent_id,
    attempt_id,
    operation: operation === 'query' ? 'authorise' : operation,
    operation_id,
    source: 'response',
    psp_code,
    psp_reference: null,
    status,
    amount_minor: isDone ? order.amount_minor : null,
    currency,
    capture_before: null,
    failure: status === 'failed' ? refusal : null,
    observed_at: new Date().toISOString(),
  };
}
