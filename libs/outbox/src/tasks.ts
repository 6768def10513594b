import type { Mode, Operator, OperatorTask } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { statement, type Db, type Queryable } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { recordAction } from './operator-actions.ts';

/** An operator task. `key` identifies it: raising an open one again only counts it once more. */
export type NewTask = {
  readonly key: string;
  readonly code: string;
  readonly merchantId?: string;
  readonly mode?: Mode;
  readonly groupId?: string;
  readonly intentId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** Ends every insert into operator_tasks, which must call the table `t`. */
export const TASK_AGAIN = `on conflict (key) do update
  set times = t.times + 1, raised_at = case when t.resolved_at is null then t.raised_at else clock_timestamp() end,
      details = excluded.details, resolved_at = null, resolved_by = null, resolution = null`;

const raise = statement(
  'operator-tasks-raise',
  `insert into operator_tasks as t (key, code, merchant_id, mode, group_id, intent_id, details)
   values ($1, $2, $3, $4, $5, $6, $7) ${TASK_AGAIN}`,
);

type TaskRow = Omit<OperatorTask, 'raised_at' | 'resolved_at'> & {
  readonly raised_at: Date;
  readonly resolved_at: Date | null;
};

// Index: operator_tasks_open, unless resolved tasks are included.
const list = statement<TaskRow>(
  'operator-tasks-list',
  `select * from operator_tasks where resolved_at is null or $1 order by raised_at, key limit $2`,
);
const resolve = statement<TaskRow>(
  'operator-tasks-resolve',
  `update operator_tasks set resolved_at = clock_timestamp(), resolved_by = $2, resolution = $3
   where key = $1 and resolved_at is null returning *`,
);
const countOpen = statement<{ code: string; tasks: number }>(
  'operator-tasks-count-open',
  `select code, count(*)::float8 as tasks from operator_tasks where resolved_at is null group by code`,
);

/** Opens an operator task; pass the transaction of the change that caused it. */
export async function raiseTask(q: Queryable, o: NewTask): Promise<void> {
  const { key, code, merchantId = null, mode = null, groupId = null, intentId = null, details = {} } = o;
  await q.query(raise, [key, code, merchantId, mode, groupId, intentId, JSON.stringify(details)]);
}

/** Lists open operator tasks, oldest first; with `resolved` also the resolved ones. */
export async function listTasks(
  q: Queryable,
  { resolved, limit }: { resolved: boolean; limit: number },
): Promise<OperatorTask[]> {
  return (await q.query(list, [resolved, limit])).map(taskFromRow);
}

/** Resolves an operator task with a note, and records who did. Rejects with not_found when it is not open. */
export async function resolveTask(
  db: Db,
  { key, actor, note }: { key: string; actor: Operator; note: string },
): Promise<OperatorTask> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query(resolve, [key, actor.name, note]);
    if (!row) throw notFound('open task');
    await recordAction(tx, { actor, action: 'tasks.resolve', subject: key, details: { note } });
    return taskFromRow(row);
  });
}

function taskFromRow({ raised_at, resolved_at, ...row }: TaskRow): OperatorTask {
  return {
    ...row,
    raised_at: raised_at.toISOString(),
    resolved_at: resolved_at?.toISOString() ?? null,
  };
}

/** Defines the gauge of open tasks; once per process. A scrape finds no value while the database is away. */
export function measureTasks(db: Db): void {
  metrics.levels({
    name: 'gp_operator_tasks_open',
    help: 'Matters that wait for a person, by what they are about',
    unit: 'tasks',
    labels: ['code'],
    zero: [{ code: 'dead_letter' }],
    read: async () =>
      (await db.query(countOpen)).map(({ code, tasks }) => ({ labels: { code }, value: tasks })),
  });
}
