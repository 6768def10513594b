import type { Bus } from '@gp/bus';
import { AppError } from '@gp/errors';
import { statement, unprepared, type Db, type Leadership } from '@gp/pg';
import { naturalBatch } from '@gp/primitives';
import { metrics, type Logger } from '@gp/telemetry';
import { heldBackGroups } from './held-back-groups.ts';
import type { Loop, PassResult } from './loop.ts';
import { MESSAGE_COLUMNS, sendRow, type OutboxRow } from './outbox.row.ts';
import { publishRows } from './publish-rows.ts';
import { REPEAT_AFTER_MS, repeatSent } from './repeats.ts';

export type RelayOptions = {
  db: Db;
  bus: Pick<Bus, 'publish' | 'redeliver' | 'isConnected' | 'identifyStreams'>;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Called at points where a crash must be harmless; a service passes its own `failPoint`. */
  failPoint?: (name: OutboxFailPoint) => void;
  /** Pause until each message is published a second time, ms; ten minutes. */
  repeatAfterMs?: number;
  /** Returns false for messages that need no second publication, because their sender repeats them by a timer. */
  isRepeated?: (subject: string) => boolean;
};

export type OutboxRelay = Loop & {
  /** Call it after a commit that wrote messages, so that they are published at once, by whichever replica leads. */
  wake(): void;
  /** Waits for the pass in hand, then releases the lead and its connection; also done when the loop stops. */
  close(): Promise<void>;
};

export const outboxFailPoints = [
  'outbox.publish.before',
  'outbox.publish.after',
  'outbox.mark.before',
  'outbox.mark.after',
] as const;
export type OutboxFailPoint = (typeof outboxFailPoints)[number];

const RELAY = 'outbox-relay';
/** Large enough to spread the cost of reading and marking, small enough to repeat after a crash. */
const BATCH = 200;
/** The first pause while nothing waits; a resting relay is woken, or looks again within the runner's longest rest. */
const POLL_MS = 1_000;
/** Calls that share one statement; more than this are one too many. */
const MOST_CALLS = 1_000;
/** Looks for messages that are due a second time, within the pause until then: one is late by half a minute at most. */
const REPEAT_LOOKS = 20;
/** The longest time a schema has no leader after one died, and how often a standby tries to lead. */
const STANDBY_MS = 1_000;

const published = metrics.counter({
  name: 'gp_outbox_published_total',
  help: 'Messages that the relay of this process carried to the bus',
  unit: 'messages',
});

const markFragment = (positions: number): string =>
  `update outbox set sent_at = clock_timestamp() where position = any($${positions}::bigint[]) and sent_at is null`;
const markSent = statement('outbox-mark-sent', markFragment(1));

// Never "position > the last one seen": positions are given at insert and become visible at commit, so a slow
// transaction's lower position appears after a higher one was sent. Index: outbox_unsent. It marks what the pass before
// has published, which its own snapshot still shows as unsent.
const readUnsent = statement<OutboxRow>(
  'outbox-read-unsent',
  `with marked as (${markFragment(2)})
   select ${MESSAGE_COLUMNS} from outbox
   where sent_at is null and group_key <> all($1::text[]) and position <> all($2::bigint[])
   order by position limit ${BATCH}`,
);

/**
 * For the leader's session. The planner's statistics show an empty outbox, so it would read and sort the *whole*
 * backlog for each batch; without sorting only the walk along outbox_unsent is left. A mark that is lost in a
 * power cut only repeats a message, which consumers drop: no need to wait for the disk.
 */
const prepareSession = unprepared('set enable_sort = off; set synchronous_commit = off');

/**
 * Publishes a schema's outbox to JetStream, at least once and in order per group. One replica leads, by a
 * session lock on the connection that also reads and marks: a replica that lost the lock can mark nothing. Each pass
 * marks what the one before has published, a second later at most, so that a message costs one statement. The
 * messages that a leader published and did not mark are published again under the same id, and dropped by JetStream's
 * duplicate window or the inboxes. Later each message is published a second time, and again when the streams were lost since.
 * A replica that does not lead calls the leader when it has written messages.
 *
 *     standby --took the lock--> leading --connection lost or closed--> standby
 */
export function outboxRelay({
  db,
  bus,
  log,
  failPoint = () => undefined,
  repeatAfterMs: afterMs = REPEAT_AFTER_MS,
  isRepeated = () => true,
}: RelayOptions): OutboxRelay {
  const leader = db.leadership(RELAY);
  const isLeading = leadingOrAsking(leader, log);
  const heldBack = heldBackGroups(() => performance.now());
  let wakeLoop: (withinMs?: number) => void = () => undefined;
  leader.onCall(() => wakeLoop());
  const callLeader = naturalBatch<undefined, undefined>({
    maxSize: MOST_CALLS,
    maxQueued: MOST_CALLS,
    overloaded: () => new AppError('service_unavailable'),
    async run(calls) {
      await leader.call();
      return calls.map(() => undefined);
    },
  });
  /** Positions that were published and are not marked yet. */
  let unmarked: bigint[] = [];
  let pass: Promise<unknown> = Promise.resolve();
  let stop: AbortSignal | undefined;

  const publish = async (row: OutboxRow): Promise<void> => {
    failPoint('outbox.publish.before');
    await sendRow(bus, row);
    failPoint('outbox.publish.after');
  };
  let repeatAt = 0;
  const restUntilThen = (): PassResult => {
    wakeLoop(repeatAt - performance.now());
    return 'empty';
  };
  /** Fresh messages go first: it is called when none of them is left. */
  const repeat = async (mayContinue: () => boolean): Promise<PassResult> => {
    if (performance.now() < repeatAt) return restUntilThen();
    const streams = await bus.identifyStreams().catch(() => undefined);
    // The bus is away, or its streams are being created.
    if (streams === undefined) return 'idle';
    const again = (row: OutboxRow): Promise<void> => sendRow(bus, row);
    const isMore = await repeatSent(leader, { afterMs, streams, isRepeated, publish: again, mayContinue });
    if (!isMore) repeatAt = performance.now() + afterMs / REPEAT_LOOKS;
    return isMore ? 'busy' : restUntilThen();
  };
  /** Runs a statement that marks what was published, given these positions. */
  const marking = async <T>(query: (positions: readonly bigint[]) => Promise<T>): Promise<T> => {
    const positions = unmarked;
    if (positions.length > 0) failPoint('outbox.mark.before');
    const result = await query(positions);
    unmarked = [];
    published.inc(positions.length);
    if (positions.length > 0) failPoint('outbox.mark.after');
    return result;
  };
  const markRest = (): Promise<unknown> => marking((positions) => leader.query(markSent, [positions]));
  const run = async (signal: AbortSignal): Promise<PassResult> => {
    const mayContinue = (): boolean => !signal.aborted && bus.isConnected();
    if (!mayContinue() || !(await isLeading())) return 'idle';
    const waiting = heldBack.keys();
    const rows = await marking((positions) => leader.query(readUnsent, [waiting, positions]));
    const round = await publishRows(rows, publish, mayContinue);
    for (const { row, error } of heldBack.record(round)) {
      const fields = { message_id: row.id, subject: row.subject, position: row.position, err: error };
      log.warn(fields, 'a message was not taken by the bus; its group waits');
    }
    if (round.sent.length > 0) {
      unmarked = round.sent.map((row) => row.position);
      if (signal.aborted) await markRest();
      if (rows.length === BATCH) return 'busy';
    } else if (!mayContinue()) return 'idle';
    const result = await repeat(mayContinue);
    const isEmpty = rows.length === 0 && waiting.length === 0;
    return result === 'empty' && !isEmpty ? 'idle' : result;
  };
  const close = async (): Promise<void> => {
    await pass;
    // What is not marked now is published again by the next leader.
    if (unmarked.length > 0 && leader.isHeld()) await markRest().catch(() => undefined);
    await leader.release();
  };

  return {
    name: RELAY,
    idleMs: POLL_MS,
    onWake: (wake) => (wakeLoop = wake),
    wake() {
      wakeLoop();
      // Messages whose call fails or is not heard wait for the leader's next look.
      if (!leader.isHeld()) callLeader(undefined).catch(() => undefined);
    },
    runOnce(signal) {
      if (stop !== signal) signal.addEventListener('abort', () => void close(), { once: true });
      stop = signal;
      const current = run(signal);
      pass = current.catch(() => undefined);
      return current;
    },
    close,
  };
}

/** Wakes the relay of this schema in whichever process leads; for a process that writes messages and runs no relay. */
export function callRelay(db: Pick<Db, 'leadership'>): Promise<void> {
  return db.leadership(RELAY).call();
}

/** Returns whether we lead; a standby asks the database once a second, however often it is woken. */
function leadingOrAsking(leader: Leadership, log: RelayOptions['log']): () => Promise<boolean> {
  const loop = RELAY;
  let wasLeading = false;
  let askAgainAt = 0;
  return async () => {
    if (leader.isHeld()) return true;
    if (wasLeading) log.warn({ loop }, 'lost the lead');
    wasLeading = false;
    if (performance.now() < askAgainAt) return false;
    askAgainAt = performance.now() + STANDBY_MS;
    wasLeading = await leader.claim();
    if (!wasLeading) return false;
    await leader.query(prepareSession);
    log.info({ loop }, 'took the lead');
    return true;
  };
}
