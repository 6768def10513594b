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

/** The tables that every service has. */
export type CommonTables = {
  readonly outbox: Table<OutboxRow>;
  readonly repeats: Table<{ readonly position: bigint }>;
  readonly inbox: Table<{ readonly key: string }>;
  readonly tasks: Table<TaskRow>;
  readonly deadLetters: Table<DeadLetterRow>;
};

export function openCommonTables(undoing: Undoing): CommonTables {
  return {
    outbox: new Table<OutboxRow>(undoing, ({ position }) => String(position), {
      unsent: ({ sentMs }) => (sentMs === null ? 'unsent' : null),
    }),
    repeats: new Table(undoing, () => 'only'),
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

const BATCH = 200;
const DAY_MS = 86_400_000;

export const commonHandlers: Handlers<CommonTables> = {
  'outbox-insert': (t, values, moment) => {
    insertMessages(t, values, moment);
    return [];
  },
  'outbox-read-unsent': ({ outbox }, [heldBack]) => {
    const groups = new Set(heldBack as string[]);
    return [...outbox.by('unsent', 'unsent')]
      .filter(({ group_key }) => !groups.has(group_key))
      .sort((a, b) => (a.position < b.position ? -1 : 1))
      .slice(0, BATCH)
      .map(toMessageRow);
  },
  'outbox-mark-sent': ({ outbox }, [positions], { nowMs, dueAt }) => {
    for (const position of positions as bigint[]) {
      const row = outbox.get(String(position));
      if (row?.sentMs === null) outbox.put({ ...row, sentMs: nowMs });
    }
    dueAt('outbox-relay', nowMs + REPEAT_MS);
    return [];
  },
  'outbox-read-repeats': (t, [afterSeconds], { nowMs }) => {
    const from = t.repeats.get('only')?.position ?? 0n;
    const rows = [];
    for (let position = from + 1n; rows.length < BATCH; position += 1n) {
      const row = t.outbox.get(String(position));
      if (!row) break;
      rows.push({ ...toMessageRow(row), state: repeatState(row, nowMs, Number(afterSeconds)) });
    }
    return rows;
  },
  'outbox-mark-repeats': ({ repeats }, [position]) => {
    const before = repeats.get('only')?.position ?? 0n;
    repeats.put({ position: before > (position as bigint) ? before : (position as bigint) });
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

/** When the relay has a message to send, for the first or the second time. */
export function relayDue({ outbox, repeats }: CommonTables, nowMs: number): number | undefined {
  if (outbox.count('unsent', 'unsent') > 0) return nowMs;
  const next = outbox.get(String((repeats.get('only')?.position ?? 0n) + 1n));
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
