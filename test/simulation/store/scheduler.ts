import { findsNothing, instantOrNull, parse, smallest, text, type Schema } from './schema.ts';
import { commonHandlers, openCommonTables, relayDue, type CommonTables } from './outbox.ts';
import { Table } from './table.ts';

type TimerRow = {
  readonly owner: string;
  readonly key: string;
  readonly revision: bigint;
  readonly state: 'armed' | 'fired' | 'cancelled';
  readonly kind: string | null;
  readonly dueMs: number | null;
  readonly data: Record<string, unknown> | null;
  readonly merchant_id: string;
  readonly mode: string;
  readonly traceparent: string | null;
};
export type SchedulerTables = CommonTables & { readonly timers: Table<TimerRow> };

const IDLE_MS = 100;

export const schedulerSchema: Schema<SchedulerTables> = {
  open: (undoing) => ({
    ...openCommonTables(undoing),
    timers: new Table<TimerRow>(undoing, ({ owner, key }) => `${owner} ${key}`, {
      armed: ({ state }) => (state === 'armed' ? 'armed' : null),
    }),
  }),
  nextDue: {
    'outbox-relay': relayDue,
    'fire-due-timers': ({ timers }) =>
      smallest(Array.from(timers.by('armed', 'armed'), ({ dueMs }) => dueMs ?? Infinity)),
  },
  handlers: {
    ...commonHandlers,
    'scheduler.take-instructions': ({ timers }, values, { dueAt }) => {
      let taken = 0n;
      for (const row of newestOfEachKey(values)) {
        const before = timers.get(`${row.owner} ${row.key}`);
        const isOlder = before !== undefined && row.revision <= before.revision;
        const isForeign =
          before !== undefined && (before.merchant_id !== row.merchant_id || before.mode !== row.mode);
        if (isOlder || isForeign) continue;
        timers.put(row);
        taken += 1n;
        if (row.state === 'armed' && row.dueMs !== null) dueAt('fire-due-timers', row.dueMs + IDLE_MS);
      }
      return [{ taken }];
    },
    'scheduler.fire-due': ({ timers }, [limit], { nowMs }) => {
      const due = [...timers.by('armed', 'armed')]
        .filter(({ dueMs }) => dueMs !== null && dueMs <= nowMs)
        .sort((a, b) => (a.dueMs ?? 0) - (b.dueMs ?? 0))
        .slice(0, Number(limit));
      for (const row of due) timers.put({ ...row, state: 'fired' });
      return due.map(({ dueMs, state: _state, ...row }) => ({ ...row, due_at: new Date(dueMs ?? 0) }));
    },
    'scheduler.next-due': ({ timers }, _values, { nowMs }) => {
      const dueMs = smallest(Array.from(timers.by('armed', 'armed'), (row) => row.dueMs ?? Infinity));
      return [{ wait_ms: dueMs === undefined ? null : dueMs - nowMs }];
    },
    // No merchant of a simulated world moves a test clock.
    'scheduler.claim-test-clock': findsNothing,
    'scheduler.reap-settled': () => [{ reaped: 0n }],
    'scheduler.reap-advances': () => [{ reaped: 0n }],
  },
};

function newestOfEachKey(values: readonly unknown[]): Iterable<TimerRow> {
  const columns = values as readonly (readonly unknown[])[];
  const rows = new Map<string, TimerRow>();
  columns[0]?.forEach((_owner, at) => {
    const [owner, key, revision, state, kind, due, data, merchant, mode, trace] = columns.map((c) => c[at]);
    const row: TimerRow = {
      owner: text(owner),
      key: text(key),
      revision: BigInt(revision as number),
      state: state as TimerRow['state'],
      kind: kind as string | null,
      dueMs: instantOrNull(due),
      data: parse(data),
      merchant_id: text(merchant),
      mode: text(mode),
      traceparent: (trace ?? null) as string | null,
    };
    const known = rows.get(`${row.owner} ${row.key}`);
    if (!known || known.revision < row.revision) rows.set(`${row.owner} ${row.key}`, row);
  });
  return rows.values();
}
