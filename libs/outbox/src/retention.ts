import { statement, type Db } from '@gp/pg';
import type { Loop } from './loop.ts';
import { TASK_AGAIN } from './tasks.ts';

/**
 * One day longer than the stream EVENTS keeps messages, so that the stream can be refilled for as long as it
 * holds them.
 */
export const OUTBOX_DAYS = 15;
/**
 * Longer than any message can come again: one that is republished on its last day in the outbox stays in EVENTS for that
 * stream's days from then on.
 */
export const INBOX_DAYS = 40;
/** Replayed letters only: an open letter is never dropped. */
const DEAD_LETTER_DAYS = 90;
/** Messages that waited this long are not held up by an outage that passes: a person looks at them. */
const UNSENT_HOURS = 1;
/** Small enough that a batch's locks and log volume do not delay a payment. */
const BATCH = 1_000;
const PAUSE_MS = 60_000;

// One batch of the key after the given position. Rows at the low end that cannot be sent stay there, so the next batch
// begins behind this one until the rows are young; with nothing to delete that is one batch, not a scan.
const reapOutbox = statement<{ last: bigint | null; is_more: boolean }>(
  'outbox-reap',
  `with batch as (select position, sent_at, created_at from outbox where position > $1 order by position limit ${BATCH}),
     reaped as (delete from outbox using batch where outbox.position = batch.position
       and batch.sent_at < now() - make_interval(days => ${OUTBOX_DAYS}))
   select max(position) as last,
          count(*) = ${BATCH} and max(created_at) < now() - make_interval(days => ${OUTBOX_DAYS}) as is_more
   from batch`,
);

// Index: outbox_unsent. Says it once for each new finding, not with every look.
const reportUnsent = statement(
  'outbox-report-unsent',
  `with unsent as (
     select id, subject, count(*) over () as messages from outbox
     where sent_at is null and created_at < now() - make_interval(hours => ${UNSENT_HOURS})
     order by position limit 1
   )
   insert into operator_tasks as t (key, code, details)
   select 'outbox_unsent', 'outbox_unsent',
     jsonb_build_object('messages', messages, 'oldest_id', id, 'oldest_subject', subject)
   from unsent
   ${TASK_AGAIN}
   where t.resolved_at is not null or t.details <> excluded.details`,
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

/**
 * Deletes old outbox, inbox and replayed dead-letter rows in small batches, and raises a task while messages cannot be
 * sent; any number of replicas may run it.
 */
export function outboxRetention(db: Db): Loop {
  let from = 0n;
  return {
    name: 'outbox-retention',
    idleMs: PAUSE_MS,
    async runOnce() {
      const [outbox] = await db.query(reapOutbox, [from]);
      from = outbox?.is_more === true ? (outbox.last ?? 0n) : 0n;
      const [inbox] = await db.query(reapInbox);
      await db.query(reapDeadLetters);
      if (from === 0n) await db.query(reportUnsent);
      return from > 0n || inbox?.reaped === BigInt(BATCH) ? 'busy' : 'idle';
    },
  };
}
