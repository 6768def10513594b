import { statement, type Db, type Queryable } from '@gp/pg';

export type RecoveryRow = {
  readonly id: string;
  readonly since: Date;
  readonly until: Date;
  readonly status: 'running' | 'done' | 'cancelled';
  readonly recovered: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
};
export type Period = { readonly since: Date; readonly until: Date };

/** How a recovery is kept from crowding out what happens now. */
export type Pace = {
  /** Events read in a step, and most deliveries that may wait in the lane when a step is made. */
  readonly step: number;
  /** Pause between two steps, ms. */
  readonly pauseMs: number;
};

const COLUMNS = 'id, since, until, status, recovered, created_at, ended_at';
const NIL = '00000000-0000-0000-0000-000000000000';

// A second one that runs is refused by recoveries_run_one_by_one: the row that is there is answered.
const insert = statement<RecoveryRow>(
  'webhooks.insert-recovery',
  `insert into recoveries (id, endpoint_id, since, until, status, position_at, position_id, due_at, created_at)
   select $1, $2, $3, $4, 'running', $3, '${NIL}', t, t from (select date_trunc('milliseconds', clock_timestamp()) as t)
   on conflict (endpoint_id) where status = 'running' do nothing
   returning ${COLUMNS}`,
);
const findRunning = statement<RecoveryRow>(
  'webhooks.find-running-recovery',
  `select ${COLUMNS} from recoveries where endpoint_id = $1 and status = 'running'`,
);
const find = statement<RecoveryRow>(
  'webhooks.find-recovery',
  `select ${COLUMNS} from recoveries where endpoint_id = $1 and id = $2`,
);

// Index: recoveries_by_due_at.
const findAnyRunning = statement<{ is_running: boolean }>(
  'webhooks.find-any-running-recovery',
  `select exists (select from recoveries where status = 'running') as is_running`,
);

type Job = {
  readonly id: string;
  readonly endpoint_id: string;
  readonly until: Date;
  readonly position_at: Date;
  readonly position_id: string;
  readonly is_deleted: boolean;
  readonly enabled: boolean;
};

// Replicas share the jobs out: each step is one replica's.
const lock = statement<Job>(
  'webhooks.lock-recovery',
  `select r.id, r.endpoint_id, r.until, r.position_at, r.position_id, e.deleted_at is not null as is_deleted, e.enabled
   from recoveries r join endpoints e on e.id = r.endpoint_id
   where r.status = 'running' and r.due_at <= clock_timestamp()
   order by r.due_at limit 1 for update of r skip locked`,
);

const countWaiting = statement<{ waiting: bigint }>(
  'webhooks.count-waiting-in-lane',
  `select count(*) as waiting from (
     select from deliveries where endpoint_id = $1 and status = 'pending' and due_at <= clock_timestamp() limit $2
   ) due`,
);

/**
 * The next events of the period, oldest first: a held or failed delivery begins its retry schedule again; an event that
 * the endpoint subscribes to and was never sent gets its delivery. Everything else stays as it is, so a step that is made
 * twice changes nothing.
 */
const advance = statement<{ seen: bigint; recovered: bigint; last_at: Date | null; last_id: string | null }>(
  'webhooks.recover-step',
  `with seen as (
     select v.id, v.created_at, v.group_id, v.sequence, v.received_at, e.id as endpoint_id,
            e.event_types = '{}' or v.type = any (e.event_types) as is_wanted
     from endpoints e join events v on v.merchant_id = e.merchant_id and v.mode = e.mode and not v.is_test
     where e.id = $1 and (v.created_at, v.id) > ($2::timestamptz, $3::uuid) and v.created_at <= $4
     order by v.created_at, v.id limit $5
   ), missed as (
     insert into deliveries (event_id, endpoint_id, group_id, sequence, status, due_at, created_at)
     select s.id, s.endpoint_id, s.group_id, s.sequence, 'pending', clock_timestamp(),
            date_trunc('milliseconds', s.received_at)
     from seen s
     where s.is_wanted and not exists (select from deliveries d where d.event_id = s.id and d.endpoint_id = $1)
     order by s.id
     on conflict (event_id, endpoint_id) do nothing
     returning 1
   ), stuck as (
     select d.event_id from deliveries d join seen s on s.id = d.event_id
     where d.endpoint_id = $1 and d.status in ('held', 'failed')
     order by d.event_id for update of d
   ), revived as (
     update deliveries d set status = 'pending', due_at = clock_timestamp(), attempts = 0, settled_at = null
     from stuck where d.event_id = stuck.event_id and d.endpoint_id = $1 and d.status in ('held', 'failed')
     returning 1
   )
   select (select count(*) from seen) as seen,
          (select count(*) from missed) + (select count(*) from revived) as recovered,
          (select max(created_at) from seen) as last_at,
          (select id from seen order by created_at desc, id desc limit 1) as last_id`,
);

const wakeLane = statement(
  'webhooks.hasten-recovered-lane',
  `update lanes set due_at = least(due_at, clock_timestamp()) where endpoint_id = $1`,
);
const move = statement(
  'webhooks.move-recovery',
  `update recoveries
   set recovered = recovered + $2, position_at = coalesce($3, position_at), position_id = coalesce($4, position_id),
       due_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)
   where id = $1`,
);
const end = statement(
  'webhooks.end-recovery',
  `update recoveries set status = $2, recovered = recovered + $3, due_at = null,
     ended_at = date_trunc('milliseconds', clock_timestamp())
   where id = $1`,
);

/** Starts a recovery unless one of the endpoint runs; returns the one that runs. */
export async function insertRecovery(
  db: Db,
  id: string,
  endpointId: string,
  period: Period,
): Promise<RecoveryRow> {
  const running = await db.transaction(async (tx) => {
    const [made] = await tx.query(insert, [id, endpointId, period.since, period.until]);
    return made ?? (await tx.query(findRunning, [endpointId]))[0];
  });
  // The one in the way ended between the two statements.
  return running ?? insertRecovery(db, id, endpointId, period);
}

export async function findRecovery(
  db: Queryable,
  endpointId: string,
  id: string,
): Promise<RecoveryRow | undefined> {
  const [row] = await db.query(find, [endpointId, id]);
  return row;
}

/** Whether a recovery of any endpoint runs, be its next step due later. */
export async function isAnyRecoveryRunning(db: Queryable): Promise<boolean> {
  return (await db.query(findAnyRunning))[0]?.is_running === true;
}

/** Makes one step of one recovery; returns its result, or undefined when none is due. */
export function stepRecovery(db: Db, pace: Pace, beforeCommit: () => void): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const [job] = await tx.query(lock);
    if (!job) return undefined;
    const result = await step(tx, job, pace);
    beforeCommit();
    return result;
  });
}

async function step(tx: Queryable, job: Job, { step, pauseMs }: Pace): Promise<string> {
  if (job.is_deleted) {
    await tx.query(end, [job.id, 'cancelled', 0]);
    return 'cancelled';
  }
  const [{ waiting } = { waiting: 0n }] = await tx.query(countWaiting, [job.endpoint_id, step]);
  if (!job.enabled || waiting >= BigInt(step)) {
    await tx.query(move, [job.id, 0, null, null, pauseMs]);
    return 'waiting';
  }
  const { endpoint_id, position_at, position_id, until } = job;
  const [row] = await tx.query(advance, [endpoint_id, position_at, position_id, until, step]);
  const { seen = 0n, recovered = 0n, last_at = null, last_id = null } = row ?? {};
  if (recovered > 0n) await tx.query(wakeLane, [endpoint_id]);
  if (seen < BigInt(step)) await tx.query(end, [job.id, 'done', Number(recovered)]);
  else await tx.query(move, [job.id, Number(recovered), last_at, last_id, pauseMs]);
  return seen < BigInt(step) ? 'done' : 'moved';
}
