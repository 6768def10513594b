import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/** A stored callback: the payment it is about, without its content. */
export type StoredCallback = {
  readonly id: string;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly credential_version: number;
  readonly account: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly attempt_id: string | null;
  readonly psp_reference: string;
  readonly is_disputed: boolean | null;
  readonly traceparent: string | null;
  readonly tries: number;
};

export type NewCallback = Omit<StoredCallback, 'tries'>;

const columns = `id, mode, merchant_id, credential_version, account, event_id, event_type, attempt_id, psp_reference,
  is_disputed, traceparent`;

const insert = statement<{ id: string }>(
  'gateway.insert-callback',
  `insert into callbacks (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   on conflict (account, event_id) do nothing returning id`,
);

// Taking a callback moves its next try: if this process dies, another one takes it then. Steps 1 s, 2 s … up to
// an hour. Reads callbacks_due.
const takeDue = statement<StoredCallback>(
  'gateway.take-due-callbacks',
  `with due as (
     select id from callbacks where state = 'stored' and due_at <= clock_timestamp()
     order by due_at limit $1 for update skip locked
   )
   update callbacks c
   set tries = tries + 1,
       due_at = clock_timestamp() + make_interval(secs => greatest($2, least(3600, power(2, least(tries, 12)))))
   from due where c.id = due.id
   returning ${columns
     .split(',')
     .map((column) => `c.${column.trim()}`)
     .join(', ')}, c.tries`,
);

const retryAt = statement(
  'gateway.retry-callback',
  `update callbacks set due_at = clock_timestamp() + make_interval(secs => least(3600, power(2, least(tries - 1, 12))))
   where id = $1 and state = 'stored'`,
);

const close = statement<{ id: string }>(
  'gateway.close-callback',
  `update callbacks set state = $2, applied_at = clock_timestamp() where id = $1 and state = 'stored' returning id`,
);

const forget = statement<{ id: string }>(
  'gateway.forget-callbacks',
  `delete from callbacks where id in (
     select id from callbacks where received_at < clock_timestamp() - interval '90 days' and state <> 'stored' limit 500)
   returning id`,
);

/** Returns false when the event was stored before (B3). */
export async function insertCallback(db: Queryable, c: NewCallback): Promise<boolean> {
  const rows = await db.query(insert, [
    c.id,
    c.mode,
    c.merchant_id,
    c.credential_version,
    c.account,
    c.event_id,
    c.event_type,
    c.attempt_id,
    c.psp_reference,
    c.is_disputed,
    c.traceparent,
  ]);
  return rows.length > 0;
}

/** Takes due callbacks, each for at least `leaseSeconds`. */
export function takeDueCallbacks(
  db: Queryable,
  o: { limit: number; leaseSeconds: number },
): Promise<StoredCallback[]> {
  return db.query(takeDue, [o.limit, o.leaseSeconds]);
}

/** Returns a callback that could not be applied yet; each time it waits twice as long. */
export async function retryCallback(db: Queryable, id: string): Promise<void> {
  await db.query(retryAt, [id]);
}

/** Returns false when another process has applied it meanwhile. */
export async function closeCallback(
  tx: Queryable,
  id: string,
  state: 'applied' | 'unmatched',
): Promise<boolean> {
  return (await tx.query(close, [id, state])).length > 0;
}

/** Deletes a batch of callbacks older than 90 days; returns how many. */
export async function forgetOldCallbacks(db: Queryable): Promise<number> {
  return (await db.query(forget)).length;
}
