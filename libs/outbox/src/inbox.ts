import { statement, type Queryable } from '@gp/pg';
import { metrics } from '@gp/telemetry';

const duplicates = metrics.counter({
  name: 'gp_inbox_duplicates_total',
  help: 'Messages that came again after they had been processed, and were dropped, by the inbox name of the consumer',
  unit: 'messages',
  labels: ['consumer'],
});

/** For inboxes of another kind: counts messages that were processed already. With 0 the series is there from the start. */
export function countDuplicates(consumer: string, count = 1): void {
  duplicates.inc({ consumer }, count);
}

/**
 * The claim as text, for a CTE: it returns one row when this consumer meets the message for the first time
 * and none when it has processed it. `consumer` and `messageId` are parameter numbers.
 */
export function inboxClaimFragment(consumer: number, messageId: number): string {
  return `insert into inbox (consumer, message_id) values ($${consumer}, $${messageId})
    on conflict do nothing returning message_id`;
}

const claim = statement<{ message_id: string }>('inbox-claim', inboxClaimFragment(1, 2));

/**
 * True when the message is new to this consumer; false when it was processed already. Give it the transaction
 * of the effect. A duplicate that arrives meanwhile waits for that transaction: it then sees false, or true
 * when the first one rolled back.
 */
export async function claimInbox(q: Queryable, consumer: string, messageId: string): Promise<boolean> {
  const isNew = (await q.query(claim, [consumer, messageId])).length > 0;
  if (!isNew) duplicates.inc({ consumer });
  return isNew;
}
