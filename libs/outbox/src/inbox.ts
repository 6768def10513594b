import { statement, type Queryable } from '@gp/pg';
import { metrics } from '@gp/telemetry';

const duplicates = metrics.counter({
  name: 'gp_inbox_duplicates_total',
  help: 'Messages that came again after they had been processed, and were dropped, by the inbox name of the consumer',
  unit: 'messages',
  labels: ['consumer'],
});

/**
 * For other kinds of inboxes: counts messages that were processed already. A count of 0 creates the series at
 * the start.
 */
export function countDuplicates(consumer: string, count = 1): void {
  duplicates.inc({ consumer }, count);
}

/**
 * Returns the claim as text, for a CTE: it returns one row for a message that is new to this consumer and none
 * for one it has processed. `consumer` and `messageId` are parameter numbers.
 */
export function inboxClaimFragment(consumer: number, messageId: number): string {
  return `insert into inbox (consumer, message_id) values ($${consumer}, $${messageId})
    on conflict do nothing returning message_id`;
}

const claim = statement<{ message_id: string }>('inbox-claim', inboxClaimFragment(1, 2));

/**
 * Returns true when the message is new to this consumer; false when it was processed already. Pass the
 * transaction of the effect. A duplicate that arrives meanwhile waits for that transaction: it then gets false,
 * or true when the first one rolled back.
 */
export async function claimInbox(q: Queryable, consumer: string, messageId: string): Promise<boolean> {
  const isNew = (await q.query(claim, [consumer, messageId])).length > 0;
  if (!isNew) duplicates.inc({ consumer });
  return isNew;
}
