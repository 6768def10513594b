import { statement, type Queryable } from '@gp/pg';

/** An advance: the command's id and the fingerprint of its input, both in hex. */
export type Advance = {
  readonly command_id: string;
  readonly fingerprint: string;
  readonly merchant_id: string;
};

// A repeated command waits here until the first one's transaction has ended.
const note = statement<{ command_id: Buffer }>(
  'scheduler.note-advance',
  `insert into test_clock_advances (command_id, fingerprint, merchant_id) values ($1, $2, $3)
   on conflict (command_id) do nothing returning command_id`,
);

const find = statement<{ fingerprint: string }>(
  'scheduler.find-advance',
  `select encode(fingerprint, 'hex') as fingerprint from test_clock_advances where command_id = $1`,
);

// Index: test_clock_advances_by_age.
const reap = statement<{ reaped: bigint }>(
  'scheduler.reap-advances',
  `with old as (
     select command_id from test_clock_advances where asked_at < clock_timestamp() - make_interval(hours => $1)
     order by asked_at limit 1000
   ), gone as (delete from test_clock_advances a using old where a.command_id = old.command_id returning 1)
   select count(*) as reaped from gone`,
);

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Stores an advance; returns false when it was stored before. Call it in the transaction of its effect. */
export async function insertAdvance(tx: Queryable, o: Advance): Promise<boolean> {
  return (await tx.query(note, [bytes(o.command_id), bytes(o.fingerprint), o.merchant_id])).length > 0;
}

/** Finds the fingerprint of a command's first input. */
export async function findFingerprint(db: Queryable, commandId: string): Promise<string | undefined> {
  return (await db.query(find, [bytes(commandId)]))[0]?.fingerprint;
}

/** Deletes up to 1,000 advances older than `hours`; returns how many. */
export async function deleteAdvances(db: Queryable, hours: number): Promise<number> {
  const [row] = await db.query(reap, [hours]);
  return Number(row?.reaped ?? 0n);
}
