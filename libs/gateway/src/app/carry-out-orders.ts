import { GATEWAY_OPERATIONS } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { recordDeadLetter } from '@gp/outbox';
import { metrics, span } from '@gp/telemetry';
import type { Adapter, AdapterCore } from '../adapter.ts';
import type { Admitted } from '../calls.ts';
import {
  countOrders,
  deleteOrder,
  keepOrder,
  listOrderQueues,
  retryOrder,
  takeDueOrder,
  type OrderQueue,
  type WaitingOrder,
} from '../db/waiting-orders.ts';
import { findLimits } from '../fairness/merchant-limits.ts';
import { openQueueLoop, type QueueLoop } from '../fairness/queue-loop.ts';
import { carryOutOrder } from './carry-out-order.ts';
import { keepAlive } from './keep-alive.ts';
import { toLeaseSeconds } from './with-lease.ts';

/** Orders that this process stored are taken at once; the pause is for retries, and for orders of a process that died. */
const IDLE_MS = 1_000;
/** Failures of ours after which an order becomes a dead letter. */
const MAX_TRIES = 10;
/** An order that kills its process each time never fails, so it is given up after so many hand-outs. */
const MAX_HAND_OUTS = 100;
/** Bounds of the random pause after a failure. */
const RETRY_SECONDS = [1, 5] as const;

/** Several scrapers cost one count. */
const FRESH_MS = 2_000;

/** Exports how many accepted orders have no outcome yet; all replicas export the same figure. */
export function measureWaitingOrders({ psp, db }: AdapterCore): void {
  metrics.levels({
    name: 'gp_gateway_waiting_orders',
    help: 'Orders of the ledger that wait for their turn at the gateway or are in hand; each replica says the same figure',
    unit: 'orders',
    labels: ['psp_code', 'operation'],
    zero: GATEWAY_OPERATIONS.map((operation) => ({ psp_code: psp, operation })),
    read: metrics.cached(
      async () =>
        (await countOrders(db)).map(({ operation, orders }) => ({
          labels: { psp_code: psp, operation },
          value: orders,
        })),
      FRESH_MS,
    ),
  });
}

/**
 * Carries out stored orders: captures, voids, refunds and queries. Each operation has its own permits in each mode, so that
 * a thousand voids cannot delay a capture, and each merchant has a share of them.
 */
export function carryOutOrders<C>(adapter: Adapter<C>): QueueLoop<OrderQueue> {
  const { db, settings, psp, log } = adapter;
  return openQueueLoop<OrderQueue, Admitted<C>, WaitingOrder>({
    name: 'carry-out-orders',
    idleMs: IDLE_MS,
    list: () => listOrderQueues(db),
    toKey: ({ mode, merchantId, operation }) => `${operation}:${mode}:${merchantId}`,
    toPool: ({ mode, operation }) => `${operation}:${mode}`,
    permits: settings.gatewayConcurrency,
    share: ({ merchantId }) => findLimits(settings, merchantId).concurrency,
    admit: (queue) => adapter.calls.admit(queue, queue.operation),
    take: (queue) => takeDueOrder(db, queue, toLeaseSeconds(settings.leaseMs)),
    work: (order, { calls }) => carryOut({ ...adapter, calls }, order),
    onError: (err) => log.error({ psp_code: psp, err }, 'orders could not be worked on and are tried again'),
  });
}

async function carryOut<C>(adapter: Adapter<C>, order: WaitingOrder): Promise<void> {
  if (order.hand_outs > MAX_HAND_OUTS) return bury(adapter, order, 'the last try ended without a result');
  const { db, settings } = adapter;
  const renew = (): Promise<void> => keepOrder(db, order.position, toLeaseSeconds(settings.leaseMs));
  try {
    await keepAlive(settings.leaseMs / 3, renew, () => carryOutTraced(adapter, order));
  } catch (error) {
    return putBack(adapter, order, error);
  }
  await deleteOrder(db, order.position);
}

function carryOutTraced<C>(adapter: Adapter<C>, order: WaitingOrder): Promise<void> {
  const { operation, payload, traceparent } = order;
  const { mode, merchant_id, intent_id, attempt_id } = payload;
  const attributes = { psp_code: adapter.psp, operation, mode, merchant_id, intent_id, attempt_id };
  return span(`carry out ${operation}`, { attributes, traceparent: traceparent ?? undefined }, () =>
    carryOutOrder(adapter, payload, traceparent),
  );
}

/** An outage of ours is no failure of the order. */
async function putBack(adapter: AdapterCore, order: WaitingOrder, error: unknown): Promise<void> {
  const isOutage = error instanceof AppError && error.code === 'service_unavailable';
  const [low, high] = RETRY_SECONDS;
  const afterSeconds = low + Math.random() * (high - low);
  if (isOutage) return retryOrder(adapter.db, order.position, { tries: 0, afterSeconds });
  const { operation, intent_id, tries } = order;
  adapter.log.error(
    { psp_code: adapter.psp, operation, intent_id, try: tries + 1, err: error },
    'order failed',
  );
  if (tries + 1 >= MAX_TRIES) return bury(adapter, order, toReason(error));
  await retryOrder(adapter.db, order.position, { tries: 1, afterSeconds });
}

/** Ends an order as a dead letter, which an operator can send again. */
async function bury({ psp, db }: AdapterCore, order: WaitingOrder, reason: string): Promise<void> {
  const { message_id: id, subject, payload, mode, traceparent, operation, hand_outs, position } = order;
  await db.transaction(async (tx) => {
    await recordDeadLetter(tx, {
      ...{ id, subject, payload, mode, reason, deliveryCount: hand_outs },
      ...(traceparent !== null && { traceparent }),
      ...{ consumer: `${psp}-${operation}`, stream: 'COMMANDS' },
    });
    await deleteOrder(tx, position);
  });
}

function toReason(error: unknown): string {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
}
