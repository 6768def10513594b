/** Names the queue of a row that waits for its merchant's turn. */
export const toMerchant = ({ mode, merchant_id }: { mode: string; merchant_id: string }) => ({
  mode,
  merchant_id,
});

/** Lists the queues that rows are in, and whether one of its rows is due. */
export function listQueues<Row, Queue extends object>(
  rows: Iterable<Row>,
  toQueue: (row: Row) => Queue,
  isDue: (row: Row) => boolean,
): (Queue & { is_due: boolean })[] {
  const queues = new Map<string, Queue & { is_due: boolean }>();
  for (const row of rows) {
    const queue = toQueue(row);
    const key = Object.values(queue).join(' ');
    queues.set(key, { ...queue, is_due: isDue(row) || queues.get(key)?.is_due === true });
  }
  return [...queues].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, queue]) => queue);
}
