import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { MerchantQueue } from '../fairness/merchant-queues.ts';
import type { ListedQueue } from '../fairness/queue-loop.ts';

/**
 * Callbacks with at most so many tries are in hand or tried again within seconds: a test clock waits for them and does
 * not move them.
 */
export const RESTING_AFTER_TRIES = 3;

/** A merchant whose callback secret signed a callback. */
export type Signer = { readonly merchant_id: string; readonly mode: Mode };

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
  /** At least one; the payment decides between them. */
  readonly signers: readonly Signer[];
  readonly tries: number;
};

type MerchantScope = Pick<StoredCallback, 'mode' | 'merchant_id'>;

export type NewCallback = Omit<StoredCallback, 'tries'> & {
  /** `applied`: it says nothing new. */
  readonly state: 'stored' | 'applied';
};

const columns = `id, mode, merchant_id, credential_version, account, event_id, event_type, attempt_id, psp_reference,
  is_disputed, traceparent`;

// Each merchant of a shared account may have the event sent to an endpoint of its own: the secret of a later delivery
// may be the one of the merchant whose payment the event names.
const insert = statement<{ id: string }>(
  'gateway.insert-callback',
  `insert into callbacks (${columns}, signers, state, applied_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, case when $13 = 'applied' then clock_timestamp() end)
   on conflict (account, event_id) do update
     set signers = callbacks.signers || excluded.signers, state = 'stored', tries = 0, due_at = clock_timestamp(),
         applied_at = null
     where callbacks.state <> 'applied' and not callbacks.signers @> excluded.signers
   returning id`,
);

// A walk from merchant to merchant along callbacks_stored_by_merchant: it costs as much with one due callback of each
// as with thousands.
const listMerchants = statement<MerchantScope & { is_due: boolean }>(
  'gateway.list-merchants-of-callbacks',
  `with recursive merchant as (
     (select mode, merchant_id from callbacks where state = 'stored' order by mode, merchant_id limit 1)
     union all
     select next.mode, next.merchant_id from merchant m cross join lateral (
       select c.mode, c.merchant_id from callbacks c
       where c.state = 'stored' and (c.mode, c.merchant_id) > (m.mode, m.merchant_id)
       order by c.mode, c.merchant_id limit 1) next
   )
   select m.mode, m.merchant_id, exists (
     select 1 from callbacks c
     where c.state = 'stored' and c.mode = m.mode and c.merchant_id = m.merchant_id
       and c.due_at <= clock_timestamp()) as is_due
   from merchant m`,
);

// Taking callbacks moves their next try: if this process dies, another one takes them then. Steps 1 s, 2 s … up to an
// hour. Reads callbacks_stored_by_merchant and callbacks_stored_by_payment.
const takeDue = statement<StoredCallback>(
  'gateway.take-due-callbacks-of-a-payment',
  `with first as (
     select psp_reference, attempt_id, signers from callbacks
     where state = 'stored' and mode = $1 and merchant_id = $2 and due_at <= clock_timestamp()
     order by due_at limit 1 for update skip locked
   ), due as (
     select c.id from callbacks c, first
     where c.state = 'stored' and c.mode = $1 and c.merchant_id = $2 and c.due_at <= clock_timestamp()
       and c.psp_reference = first.psp_reference and c.attempt_id is not distinct from first.attempt_id
       and c.signers = first.signers
     for update of c skip locked
   )
   update callbacks c
   set tries = tries + 1,
       due_at = clock_timestamp() + make_interval(secs => greatest($3, least(3600, power(2, least(tries, 12)))))
   from due where c.id = due.id
   returning ${columns
     .split(',')
     .map((column) => `c.${column.trim()}`)
     .join(', ')}, c.tries,
     case when c.signers = '[]' then jsonb_build_array(jsonb_build_object('merchant_id', c.merchant_id, 'mode', c.mode))
          else c.signers end as signers`,
);

const retryAt = statement(
  'gateway.retry-callbacks',
  `update callbacks set due_at = clock_timestamp() + make_interval(secs => least(3600, power(2, least(tries - 1, 12))))
   where id = any($1) and state = 'stored'`,
);

// A pause is no try. A few are counted, because a test clock does not wait for callbacks that have had some.
const pauseFor = statement(
  'gateway.pause-callbacks',
  `update callbacks
   set due_at = clock_timestamp() + make_interval(secs => $2), tries = least(tries, ${RESTING_AFTER_TRIES + 1})
   where id = any($1) and state = 'stored'`,
);

const bind = statement(
  'gateway.bind-callbacks',
  `update callbacks
   set merchant_id = $2, mode = $3, credential_version = $4, due_at = clock_timestamp(), tries = greatest(tries - 1, 0)
   where id = any($1) and state = 'stored'`,
);

const close = statement<{ id: string }>(
  'gateway.close-callbacks',
  `update callbacks set state = $2, applied_at = clock_timestamp() where id = any($1) and state = 'stored' returning id`,
);

const forget = statement<{ id: string }>(
  'gateway.forget-callbacks',
  `delete from callbacks where id in (
     select id from callbacks where received_at < clock_timestamp() - interval '90 days' and state <> 'stored' limit 500)
   returning id`,
);

/** Returns false when the event was stored before with these signers (B3). */
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
    JSON.stringify(c.signers),
    c.state,
  ]);
  return rows.length > 0;
}

/** Lists the merchants and modes that have callbacks which wait. */
export async function listCallbackQueues(db: Queryable): Promise<readonly ListedQueue<MerchantQueue>[]> {
  return (await db.query(listMerchants, [])).map(({ mode, merchant_id: merchantId, is_due: isDue }) => ({
    queue: { mode, merchantId },
    isDue,
  }));
}

/**
 * Takes all due callbacks of one payment that the same merchants signed, the one of the merchant whose callback is due longest, for at least
 * `leaseSeconds`; in the order of their arrival, none when nothing is due.
 */
export async function takeDueCallbacks(
  db: Queryable,
  { mode, merchantId }: MerchantQueue,
  leaseSeconds: number,
): Promise<readonly StoredCallback[]> {
  const taken = await db.query(takeDue, [mode, merchantId, leaseSeconds]);
  // The ids are in the order of arrival.
  return taken.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Puts back callbacks that could not be applied yet; each time they wait twice as long. */
export async function retryCallbacks(db: Queryable, ids: readonly string[]): Promise<void> {
  await db.query(retryAt, [ids]);
}

/** Puts back callbacks that wait for something of ours, for `seconds`; that counts as no try. */
export async function pauseCallbacks(db: Queryable, ids: readonly string[], seconds: number): Promise<void> {
  await db.query(pauseFor, [ids, seconds]);
}

/** Stores the merchant whose payment the callbacks turned out to be about, among whose callbacks they are due now. */
export async function bindCallbacks(
  db: Queryable,
  ids: readonly string[],
  to: Signer & { readonly credential_version: number },
): Promise<void> {
  await db.query(bind, [ids, to.merchant_id, to.mode, to.credential_version]);
}

/** Returns false when another process has closed them meanwhile. */
export async function closeCallbacks(
  tx: Queryable,
  ids: readonly string[],
  state: 'applied' | 'unmatched',
): Promise<boolean> {
  return (await tx.query(close, [ids, state])).length > 0;
}

/** Deletes a batch of callbacks older than 90 days; returns how many. */
export async function deleteOldCallbacks(db: Queryable): Promise<number> {
  return (await db.query(forget)).length;
}
