import type { Db } from './open-pg.ts';
import type { Queryable } from './queryable.ts';
import { statement, unprepared } from './statement.ts';

export type DailyPartitions = {
  /** Table of the connection's own schema, declared `partition by range (…)` on one column. */
  readonly table: string;
  /** The column's type: UUIDv7 ids (whose first 48 bits are the time) or timestamptz. */
  readonly by: 'uuidv7' | 'time';
  /** Whole days created beyond today: how long the maintenance may be down before inserts fail. */
  readonly aheadDays: number;
  /** Whole days kept before today. */
  readonly keepDays: number;
};

const DAY_MS = 86_400_000;

const findPartitions = statement<{ name: string }>(
  'pg-find-partitions',
  `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
   where i.inhparent = to_regclass(quote_ident($1)) order by 1`,
);
const readToday = statement<{ today: Date }>(
  'pg-read-today',
  `select date_trunc('day', clock_timestamp() at time zone 'UTC') at time zone 'UTC' as today`,
);
/** Replicas take turns; the lock ends with the transaction. */
const takeTurn = statement(
  'pg-partition-turn',
  `select pg_advisory_xact_lock(hashtextextended('partitions:' || $1, 0))`,
);
/**
 * A table lock that is not granted soon would queue every insert behind this one: give up, the next run tries
 * again.
 */
const waitBriefly = unprepared(`set local lock_timeout = '2s'`);

/**
 * Creates the partitions of the UTC days from yesterday to `aheadDays` ahead and drops those older than
 * `keepDays`; names follow `<table>_p20260131`. Safe to run on every replica and at any frequency; days are the
 * database's.
 */
export async function maintainPartitions(
  db: Db,
  plan: DailyPartitions,
  now?: Date,
): Promise<{ created: string[]; dropped: string[] }> {
  return db.transaction(async (tx) => {
    await tx.query(takeTurn, [plan.table]);
    await tx.query(waitBriefly);
    const today = now === undefined ? await findCurrentDay(tx) : Math.floor(now.getTime() / DAY_MS) * DAY_MS;
    const existing = new Set((await tx.query(findPartitions, [plan.table])).map((row) => row.name));
    const created = daysBetween(today - DAY_MS, today + plan.aheadDays * DAY_MS).filter(
      (day) => !existing.has(partitionName(plan.table, day)),
    );
    for (const day of created) await tx.query(unprepared(createSql(plan, day)));
    const oldest = partitionName(plan.table, today - plan.keepDays * DAY_MS);
    const isDaily = new RegExp(`^${plan.table}_p\\d{8}$`);
    const dropped = [...existing].filter((name) => isDaily.test(name) && name < oldest);
    for (const name of dropped) await tx.query(unprepared(`drop table "${name}"`));
    return { created: created.map((day) => partitionName(plan.table, day)), dropped };
  });
}

async function findCurrentDay(tx: Queryable): Promise<number> {
  const [row] = await tx.query(readToday);
  if (row === undefined) throw new Error('the database did not return its day');
  return row.today.getTime();
}

function daysBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, i) => first + i * DAY_MS);
}

function partitionName(table: string, day: number): string {
  return `${table}_p${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Attaching an existing table takes a weaker lock on the parent than creating one inside it: inserts go on. */
function createSql(plan: DailyPartitions, day: number): string {
  const name = partitionName(plan.table, day);
  return `do $$ begin
    create table "${name}" (like "${plan.table}" including all excluding identity);
    alter table "${plan.table}" attach partition "${name}"
      for values from ('${formatBound(plan, day)}') to ('${formatBound(plan, day + DAY_MS)}');
  end $$`;
}

function formatBound(plan: DailyPartitions, day: number): string {
  return plan.by === 'time' ? new Date(day).toISOString() : buildFirstUuid(day);
}

/** Returns the smallest value of type uuid whose leading 48 bits are this instant. */
function buildFirstUuid(epochMs: number): string {
  const time = epochMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
