import { statement, type Queryable } from '@gp/pg';

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
  return (await q.query(claim, [consumer, messageId])).length > 0;
}
