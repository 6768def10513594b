import { isUnavailable, statement, type Queryable } from '@gp/pg';
import { MESSAGE_COLUMNS, type OutboxRow } from './outbox.row.ts';
import { publishRows } from './publish-rows.ts';

/** Longer than JetStream's duplicate window, which would drop the repeat. */
export const REPEAT_AFTER_MS = 600_000;
/** When the streams were lost, messages that were sent within this time are published again, seconds. */
const RECALLED_SECONDS = 3_600;
const BATCH = 200;

type SentRow = OutboxRow & { readonly state: 'due' | 'waits' | 'never_sent' };

// A message that nobody could send for a day is held back by a fault: those after it do not wait for it.
const readNext = statement<SentRow>(
  'outbox-read-repeats',
  `select ${MESSAGE_COLUMNS}, case
     when sent_at <= clock_timestamp() - make_interval(secs => $1) then 'due'
     when sent_at is null and created_at < clock_timestamp() - interval '1 day' then 'never_sent'
     else 'waits' end as state
   from outbox where position > (select position from outbox_repeats) order by position limit ${BATCH}`,
);
// Walks back along the key to the newest message that was sent longer ago: an hour's rows, and only after a loss.
const noteStreams = statement(
  'outbox-note-streams',
  `update outbox_repeats set streams = $1, position = case when streams is null then position else
     least(position, coalesce((
       select position from outbox where sent_at < clock_timestamp() - make_interval(secs => $2)
       order by position desc limit 1), 0)) end
   where streams is distinct from $1`,
);
const moveOn = statement(
  'outbox-mark-repeats',
  'update outbox_repeats set position = greatest(position, $1)',
);

export type RepeatOptions = {
  /** Pause between the two publications of a message, ms. */
  readonly afterMs: number;
  /** Which streams these are, as the bus tells it. */
  readonly streams: string;
  /** Returns false for messages that their sender repeats by other means. */
  readonly isRepeated: (subject: string) => boolean;
  readonly publish: (row: OutboxRow) => Promise<void>;
  /** Called before each row; false ends the pass. */
  readonly mayContinue: () => boolean;
};

/**
 * Publishes each message a second time, in the order of positions, once `afterMs` have passed since the first: the
 * bus may have lost it after it had acknowledged it (F9). When the streams were created anew, it begins again with
 * the messages of the last hour, so that one that was lost twice comes a third time. Consumers drop what they have
 * processed. Only the relay's leader calls it. Returns whether more may be due.
 */
export async function repeatSent(
  q: Pick<Queryable, 'query'>,
  { afterMs, streams, isRepeated, publish, mayContinue }: RepeatOptions,
): Promise<boolean> {
  await q.query(noteStreams, [streams, RECALLED_SECONDS]);
  const rows = await q.query(readNext, [afterMs / 1_000]);
  const end = rows.findIndex(({ state }) => state === 'waits');
  const passed = end < 0 ? rows : rows.slice(0, end);
  const due = passed.filter(({ state, subject }) => state === 'due' && isRepeated(subject));
  const left = new Set<OutboxRow>(due);
  let isAway = false;
  const publishAgain = async (row: OutboxRow): Promise<void> => {
    try {
      await publish(row);
    } catch (error) {
      // What the bus refuses now, it took the first time.
      if (isUnavailable(error)) {
        isAway = true;
        throw error;
      }
    }
    left.delete(row);
  };
  await publishRows(due, publishAgain, () => !isAway && mayContinue());
  // The bus is away, or the process stops: the next pass begins with the first message that is left.
  const firstLeft = passed.findIndex((row) => left.has(row));
  const last = passed.at(firstLeft < 0 ? -1 : firstLeft - 1);
  if (last && firstLeft !== 0) await q.query(moveOn, [last.position]);
  return left.size === 0 && passed.length === BATCH;
}
