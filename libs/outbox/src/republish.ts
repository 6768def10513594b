import type { Bus } from '@gp/bus';
import { statement, type Queryable } from '@gp/pg';
import { MESSAGE_COLUMNS, sendRow, type OutboxRow } from './outbox.row.ts';
import { publishRows } from './publish-rows.ts';

const PAGE = 200;

// Walks the key from its low end: an operator's tool may read two weeks, and does not justify an index on
// created_at.
const readSent = statement<OutboxRow>(
  'outbox-read-sent',
  `select ${MESSAGE_COLUMNS} from outbox
   where position > $1 and sent_at is not null and created_at >= $2 and created_at < $3
   order by position limit ${PAGE}`,
);

/**
 * Publishes again, with their first ids, all messages written in [from, to) and sent since: for a stream that
 * lost them. Consumers drop what they have processed. Returns how many; rejects with the bus' error when one
 * cannot be published, and may then simply be run again.
 */
export async function republish(
  q: Queryable,
  bus: Pick<Bus, 'publish' | 'redeliver'>,
  range: { from: Date; to: Date },
): Promise<number> {
  let last = 0n;
  let count = 0;
  for (;;) {
    const rows = await q.query(readSent, [last, range.from, range.to]);
    const { sent, failed } = await publishRows(rows, (row) => sendRow(bus, row));
    if (failed[0] !== undefined) throw failed[0].error;
    count += sent.length;
    if (rows.length < PAGE) return count;
    last = rows[rows.length - 1]?.position ?? last;
  }
}
