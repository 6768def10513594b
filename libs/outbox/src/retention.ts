import { statement, type Db } from '@gp/pg';
import type { Loop } from './loop.ts';

/**
 * One day longer than the stream EVENTS keeps messages, so that the stream can be refilled for as long as it
 * holds them.
 */
const OUTBOX_DAYS = 31;
/** Longer than any message can be redelivered, republished ones included. */
const INBOX_DAYS = 40;
/** Replayed letters only: an open letter is never dropped. */
const DEAD_LETTER_DAYS = 90;
/** Small enough that a batch's locks and log volume do not delay a payment. */
const BATCH = 1_000;
const PAUSE_MS = 60_000;

// Reads the low end of the key only: with nothing to delete it costs one batch of rows, not a scan.
const reapOutbox = statement<{ reaped: bigint }>(
  'outbox-reap',
  `with oldest as (select position, sent_at from outbox order by position limit ${BATCH}),
     reaped as (delete from outbox using oldest where outbox.position = oldest.position
       and oldest.sent_at < now() - make_interval(days => ${OUTBOX_DAYS}) returning 1)
   select count(*) as reaped from reaped`,
);

// Index: inbox_by_age.
const reapInbox = statement<{ reaped: bigint }>(
  'inbox-reap',
  `with reaped as (delete from inbox where ctid = any(array(
       select ctid from inbox where received_at < now() - make_interval(days => ${INBOX_DAYS})
       order by received_at limit ${BATCH})) returning 1)
   select count(*) as reaped from reaped`,
);

const reapDeadLetters = statement(
  'dead-letters-reap',
  `delete from dead_letters where replayed_at < now() - make_interval(days => ${DEAD_LETTER_DAYS})`,
);

/** Deletes old outbox, inbox and replayed dead-letter rows in small batches; any number of replicas may run it. */
export function outboxRetention(db: Db): Loop {
  return {
    name: 'outbox-retention',
    idleMs: PAUSE_MS,
    async runOnce() {
      const [outbox] = await db.query(reapOutbox);
      const [inbox] = await db.query(reapInbox);
      await db.query(reapDeadLetters);
      const isFull = [outbox, inbox].some((row) => row?.reaped === BigInt(BATCH));
      return isFull ? 'busy' : 'idle';
    },
  };
}
