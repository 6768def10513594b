import type { GatewayTables, OrderRow } from './gateway-tables.ts';
import { listQueues } from './list-queues.ts';
import { parse, text, type Handler, type Handlers } from './schema.ts';

const IDLE_MS = 500;
const toQueue = ({ mode, merchant_id, operation }: OrderRow) => ({ mode, merchant_id, operation });

const takeDue: Handler<GatewayTables> = (
  { orders },
  [mode, merchant, operation, seconds],
  { nowMs, dueAt },
) => {
  const all = [...orders.all()];
  const hasEarlier = ({ intent_id, operation: own, position }: OrderRow): boolean =>
    all.some((one) => one.intent_id === intent_id && one.operation === own && one.position < position);
  const [order] = all
    .filter((row) => row.mode === mode && row.merchant_id === merchant && row.operation === operation)
    .filter((row) => row.dueMs <= nowMs && !hasEarlier(row))
    .sort((a, b) => a.dueMs - b.dueMs);
  if (!order) return [];
  const taken = { ...order, hand_outs: order.hand_outs + 1, dueMs: nowMs + Number(seconds) * 1_000 };
  orders.put(taken);
  dueAt('carry-out-orders', taken.dueMs + IDLE_MS);
  const { dueMs: _due, ...returned } = taken;
  return [returned];
};

export const orderHandlers: Handlers<GatewayTables> = {
  'gateway.insert-waiting-order': ({ orders, lastOrder }, values, { nowMs, dueAt }) => {
    const [message_id, subject, operation, mode, merchant_id, intent_id, payload, traceparent] = values;
    if (orders.count('message', text(message_id)) > 0) return [];
    const position = (lastOrder.get('only')?.position ?? 0n) + 1n;
    lastOrder.put({ position });
    const named = { position, message_id, subject, operation, mode, merchant_id, intent_id, traceparent };
    orders.put({ ...named, payload: parse(payload), tries: 0, hand_outs: 0, dueMs: nowMs } as OrderRow);
    dueAt('carry-out-orders', nowMs + IDLE_MS);
    return [];
  },
  'gateway.list-queues-of-orders': ({ orders }, _values, { nowMs }) =>
    listQueues(orders.all(), toQueue, ({ dueMs }) => dueMs <= nowMs),
  'gateway.take-due-order': takeDue,
  'gateway.keep-order-in-hand': ({ orders }, [position, seconds], { nowMs, dueAt }) => {
    const row = orders.get(String(position));
    if (row) orders.put({ ...row, dueMs: nowMs + Number(seconds) * 1_000 });
    dueAt('carry-out-orders', nowMs + Number(seconds) * 1_000 + IDLE_MS);
    return [];
  },
  'gateway.retry-order': ({ orders }, [position, tries, seconds], { nowMs, dueAt }) => {
    const row = orders.get(String(position));
    const dueMs = nowMs + Number(seconds) * 1_000;
    if (row) orders.put({ ...row, tries: row.tries + Number(tries), dueMs });
    dueAt('carry-out-orders', dueMs + IDLE_MS);
    return [];
  },
  'gateway.delete-waiting-order': ({ orders }, [position]) => {
    const row = orders.get(String(position));
    if (row) orders.delete(row);
    return [];
  },
};
