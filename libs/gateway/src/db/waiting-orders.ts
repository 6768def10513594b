import type { GatewayOperation, GatewayOperationName, Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { MerchantQueue } from '../fairness/merchant-queues.ts';
import type { ListedQueue } from '../fairness/queue-loop.ts';

/** An order of the ledger that waits for its turn or is in hand. */
export type WaitingOrder = {
  readonly position: bigint;
  readonly message_id: string;
  readonly subject: string;
  readonly operation: GatewayOperationName;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly intent_id: string;
  readonly payload: GatewayOperation;
  readonly traceparent: string | null;
  readonly tries: number;
  readonly hand_outs: number;
};

export type NewOrder = Pick<WaitingOrder, 'message_id' | 'subject' | 'payload' | 'traceparent'>;

/** Orders of one operation of one merchant in one mode. */
export type OrderQueue = MerchantQueue & { readonly operation: GatewayOperationName };

// A message that arrives twice while its order waits is one order.
const insert = statement(
  'gateway.insert-waiting-order',
  `insert into waiting_orders (message_id, subject, operation, mode, merchant_id, intent_id, payload, traceparent)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (message_id) do nothing`,
);

// A walk along waiting_orders_by_merchant: it costs as much with one order in each queue as with thousands.
const listQueues = statement<Pick<WaitingOrder, 'mode' | 'merchant_id' | 'operation'> & { is_due: boolean }>(
  'gateway.list-queues-of-orders',
  `with recursive queue as (
     (select mode, merchant_id, operation from waiting_orders order by mode, merchant_id, operation limit 1)
     union all
     select next.mode, next.merchant_id, next.operation from queue l cross join lateral (
       select o.mode, o.merchant_id, o.operation from waiting_orders o
       where (o.mode, o.merchant_id, o.operation) > (l.mode, l.merchant_id, l.operation)
       order by o.mode, o.merchant_id, o.operation limit 1) next
   )
   select l.mode, l.merchant_id, l.operation, exists (
     select 1 from waiting_orders o where o.mode = l.mode and o.merchant_id = l.merchant_id
       and o.operation = l.operation and o.due_at <= clock_timestamp()) as is_due
   from queue l`,
);

// Orders of one intent keep their order: a later one waits until the earlier ones are gone.
const takeDue = statement<WaitingOrder>(
  'gateway.take-due-order',
  `update waiting_orders
   set hand_outs = hand_outs + 1, due_at = clock_timestamp() + make_interval(secs => $4)
   where position = (
     select o.position from waiting_orders o
     where o.mode = $1 and o.merchant_id = $2 and o.operation = $3 and o.due_at <= clock_timestamp()
       and not exists (select 1 from waiting_orders earlier where earlier.intent_id = o.intent_id
         and earlier.operation = o.operation and earlier.position < o.position)
     order by o.due_at limit 1 for update skip locked)
   returning position, message_id, subject, operation, mode, merchant_id, intent_id, payload, traceparent, tries,
     hand_outs`,
);

const keep = statement(
  'gateway.keep-order-in-hand',
  `update waiting_orders set due_at = clock_timestamp() + make_interval(secs => $2) where position = $1`,
);

const retry = statement(
  'gateway.retry-order',
  `update waiting_orders set tries = tries + $2, due_at = clock_timestamp() + make_interval(secs => $3)
   where position = $1`,
);

const remove = statement('gateway.delete-waiting-order', 'delete from waiting_orders where position = $1');

const count = statement<{ operation: GatewayOperationName; orders: number }>(
  'gateway.count-waiting-orders',
  'select operation, count(*)::int as orders from waiting_orders group by operation',
);

export async function insertOrder(db: Queryable, o: NewOrder): Promise<void> {
  const { operation, mode, merchant_id, intent_id } = o.payload;
  const payload = JSON.stringify(o.payload);
  const values = [o.message_id, o.subject, operation, mode, merchant_id, intent_id, payload, o.traceparent];
  await db.query(insert, values);
}

/** Lists the queues that have orders. */
export async function listOrderQueues(db: Queryable): Promise<readonly ListedQueue<OrderQueue>[]> {
  const rows = await db.query(listQueues, []);
  return rows.map(({ mode, merchant_id: merchantId, operation, is_due: isDue }) => ({
    queue: { mode, merchantId, operation },
    isDue,
  }));
}

/** Takes the order of a queue that is due longest, for `leaseSeconds`; undefined when none is due. */
export async function takeDueOrder(
  db: Queryable,
  { mode, merchantId, operation }: OrderQueue,
  leaseSeconds: number,
): Promise<WaitingOrder | undefined> {
  return (await db.query(takeDue, [mode, merchantId, operation, leaseSeconds]))[0];
}

/** Keeps an order that is still being worked on from being taken by another process. */
export async function keepOrder(db: Queryable, position: bigint, leaseSeconds: number): Promise<void> {
  await db.query(keep, [position, leaseSeconds]);
}

/** Puts an order back; `tries`: 1 when the order failed, 0 when something it needs was away. */
export async function retryOrder(
  db: Queryable,
  position: bigint,
  o: { readonly tries: 0 | 1; readonly afterSeconds: number },
): Promise<void> {
  await db.query(retry, [position, o.tries, o.afterSeconds]);
}

export async function deleteOrder(db: Queryable, position: bigint): Promise<void> {
  await db.query(remove, [position]);
}

/** Counts the orders that wait or are in hand, by operation; an operation without orders is left out. */
export async function countOrders(
  db: Queryable,
): Promise<readonly { operation: GatewayOperationName; orders: number }[]> {
  return db.query(count, []);
}
