import { findsNothing, parse, smallest, text, type Handlers, type Moment } from './schema.ts';
import { ConstraintViolation, Table, type Undoing } from './table.ts';

export type OutboxRow = {
  readonly position: bigint;
  readonly id: string;
  readonly subject: string;
  readonly group_key: string;
  readonly mode: string;
  readonly payload: unknown;
  readonly traceparent: string | null;
  readonly createdMs: number;
  readonly sentMs: number | null;
};
export type TaskRow = {
  readonly key: string;
  readonly code: string;
  readonly isOpen: boolean;
  readonly times: number;
};
export type DeadLetterRow = {
  readonly consumer: string;
  readonly messageId: string;
  readonly reason: string;
};

type RepeatsRow = { readonly position: bigint; readonly streams: string | null };

/** The tables that every service has. */
export type CommonTables = {
  readonly outbox: Table<OutboxRow>;
  readonly repeats: Table<RepeatsRow>;
  /** What the world knows, and a relay only when it looks: whether the streams were lost since its last look. */
  readonly streams: { areLost: boolean };
  readonly inbox: Table<{ readonly key: string }>;
  readonly tasks: Table<TaskRow>;
  readonly deadLetters: Table<DeadLetterRow>;
};

export function openCommonTables(undoing: Undoing): CommonTables {
  return {
    outbox: new Table<OutboxRow>(undoing, ({ position }) => String(position), {
      unsent: ({ sentMs }) => (sentMs === null ? 'unsent' : null),
    }),
    repeats: new Table<RepeatsRow>(undoing, () => 'only'),
    streams: { areLost: false },
    inbox: new Table(undoing, ({ key }) => key),
    tasks: new Table<TaskRow>(undoing, ({ key }) => key),
    deadLetters: new Table<DeadLetterRow>(undoing, ({ consumer, messageId }) => `${consumer} ${messageId}`),
  };
}

const POLL_MS = 200;
export const REPEAT_MS = 600_000;

/** Identity columns give every row a place; a row that was rolled back leaves a gap, which this does not. */
function lastPosition({ outbox }: CommonTables): bigint {
  return BigInt(outbox.size);
}

export function insertMessages(tables: CommonTables, arrays: readonly unknown[], moment: Moment): void {
  const [ids, subjects, keys, modes, payloads, traces] = arrays as readonly (readonly (string | null)[])[];
  let position = lastPosition(tables);
  ids?.forEach((id, at) => {
    position += 1n;
    tables.outbox.put({
      position,
      id: text(id),
      subject: text(subjects?.[at]),
      group_key: text(keys?.[at]),
      mode: text(modes?.[at]),
      payload: parse(payloads?.[at]),
      traceparent: traces?.[at] ?? null,
      createdMs: moment.nowMs,
      sentMs: null,
    });
  });
  if (ids && ids.length > 0) moment.dueAt('outbox-relay', moment.nowMs + POLL_MS);
}

export function raiseTask({ tasks }: CommonTables, key: string, code: string): void {
  const times = tasks.get(key)?.times ?? 0;
  tasks.put({ key, code, isOpen: true, times: times + 1 });
}

/** Adds an inbox row; the primary key refuses a second one. */
export function claimMessage({ inbox }: CommonTables, consumer: string, id: string): void {
  const key = `${consumer} ${id}`;
  if (inbox.has(key)) throw new ConstraintViolation('inbox_takes_a_message_once');
  inbox.put({ key });
}

/** A relay that reads marks what its pass before has published. */
function markSent({ outbox }: CommonTables, positions: readonly bigint[], { nowMs, dueAt }: Moment): void {
  for (const position of positions) {
    const row = outbox.get(String(position));
    if (row?.sentMs === null) outbox.put({ ...row, sentMs: nowMs });
  }
  if (positions.length > 0) dueAt('outbox-relay', nowMs + REPEAT_MS);
}

const readRepeats = ({ repeats }: CommonTables): RepeatsRow =>
  repeats.get('only') ?? { position: 0n, streams: null };

const BATCH = 200;
const DAY_MS = 86_400_000;

export const commonHandlers: Handlers<CommonTables> = {
  'outbox-insert': (t, values, moment) => {
    insertMessages(t, values, moment);
    return [];
  },
  'outbox-read-unsent': (t, [heldBack, sent], moment) => {
    markSent(t, sent as bigint[], moment);
    const groups = new Set(heldBack as string[]);
    return [...t.outbox.by('unsent', 'unsent')]
      .filter(({ group_key }) => !groups.has(group_key))
      .sort((a, b) => (a.position < b.position ? -1 : 1))
      .slice(0, BATCH)
      .map(toMessageRow);
  },
  'outbox-read-repeats': (t, [afterSeconds], { nowMs }) => {
    const from = readRepeats(t).position;
    const rows = [];
    for (let position = from + 1n; rows.length < BATCH; position += 1n) {
      const row = t.outbox.get(String(position));
      if (!row) break;
      rows.push({ ...toMessageRow(row), state: repeatState(row, nowMs, Number(afterSeconds)) });
    }
    return rows;
  },
  'outbox-note-streams': (t, [streams, recalledSeconds], { nowMs }) => {
    const before = readRepeats(t);
    t.streams.areLost = false;
    if (before.streams === streams) return [];
    const isLong = ({ sentMs }: OutboxRow) =>
      sentMs !== null && sentMs < nowMs - Number(recalledSeconds) * 1_000;
    let position = before.position;
    if (before.streams !== null)
      while (position > 0n && !isLong(t.outbox.get(String(position)) as OutboxRow)) position -= 1n;
    t.repeats.put({ position, streams: text(streams) });
    return [];
  },
  'outbox-mark-repeats': (t, [position]) => {
    const before = readRepeats(t);
    if (before.position < (position as bigint)) t.repeats.put({ ...before, position: position as bigint });
    return [];
  },
  'inbox-claim': (t, [consumer, id]) => {
    const key = `${text(consumer)} ${text(id)}`;
    if (t.inbox.has(key)) return [];
    t.inbox.put({ key });
    return [{ message_id: id }];
  },
  'operator-tasks-raise': (t, [key, code]) => {
    raiseTask(t, text(key), text(code));
    return [];
  },
  'dead-letters-record': (t, [consumer, messageId, , , , , reason]) => {
    t.deadLetters.put({ consumer: text(consumer), messageId: text(messageId), reason: text(reason) });
    raiseTask(t, `dead_letter:${t.deadLetters.size}`, 'dead_letter');
    return [];
  },
  // Rows are deleted after days or weeks, which no simulated world lives to see.
  'outbox-reap': findsNothing,
  'inbox-reap': findsNothing,
  'dead-letters-reap': findsNothing,
  'outbox-report-unsent': findsNothing,
};

/** When the relay has a message to send, for the first time or again, or lost streams to notice. */
export function relayDue(t: CommonTables, nowMs: number): number | undefined {
  const { outbox, streams } = t;
  if (streams.areLost || outbox.count('unsent', 'unsent') > 0) return nowMs;
  const next = outbox.get(String(readRepeats(t).position + 1n));
  return next?.sentMs == null ? undefined : next.sentMs + REPEAT_MS;
}

function toMessageRow({ position, id, subject, group_key, mode, payload, traceparent }: OutboxRow) {
  return { position, id, subject, group_key, mode, payload, traceparent };
}

function repeatState({ sentMs, createdMs }: OutboxRow, nowMs: number, afterSeconds: number): string {
  if (sentMs !== null && sentMs <= nowMs - afterSeconds * 1_000) return 'due';
  return sentMs === null && createdMs < nowMs - DAY_MS ? 'never_sent' : 'waits';
}

export const dueOf = (rows: Iterable<{ readonly dueMs: number }>): number | undefined =>
  smallest(Array.from(rows, ({ dueMs }) => dueMs));
