import { statement, type Db } from '@gp/pg';
import { failBefore } from '../fail-points.ts';

/** A delivery that is ours until the lease ends, with what its endpoint is now. */
export type Claim = {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly claim_id: string;
  /** Attempts of the schedule that have ended. */
  readonly attempts: number;
  /** All requests that were made, those that a merchant requested included. */
  readonly tries: number;
  /** Whether a merchant requested this attempt: it takes no step of the schedule. */
  readonly is_manual: boolean;
  readonly merchant_id: string;
  readonly mode: 'test' | 'live';
  readonly group_id: string;
  readonly type: string;
  /** True for a test event. */
  readonly is_test: boolean;
  readonly payload: string;
  readonly traceparent: string | null;
  readonly url: string;
  readonly secret_key_id: string;
  readonly secret_sealed: Buffer;
  /** Secrets that were rolled away and whose overlap lasts, newest first; null when there are none. */
  readonly retired_key_ids: readonly string[] | null;
  readonly retired_sealed: readonly Buffer[] | null;
};

/** What one pass claimed. */
export type Claimed = {
  readonly claims: readonly Claim[];
  /** Whether a lane that was looked at has, or may have, deliveries that are due still. */
  readonly isMoreDue: boolean;
};

type ClaimRow = Claim & { readonly is_more_due: boolean };

export type ClaimWish = {
  readonly claimId: string;
  /** Most deliveries to claim. */
  readonly most: number;
  readonly leaseMs: number;
  /** Lanes to leave alone in this pass. */
  readonly closed: readonly string[];
  /** How many deliveries of each lane may be in flight, over all replicas. */
  readonly allot: (endpointIds: readonly string[]) => readonly number[];
};

/** Selects the secrets of an endpoint that were rolled away and whose overlap lasts, newest first; null when there are none. */
export const sqlRetiredSecrets = (endpointId: string): string =>
  `select array_agg(r.secret_key_id order by r.retired_at desc) as key_ids,
          array_agg(r.secret_sealed order by r.retired_at desc) as sealed
   from retired_secrets r where r.endpoint_id = ${endpointId} and r.valid_until > clock_timestamp()`;

/** A pass looks into so many lanes; those it did not reach come first in the next. */
const LANES_PER_PASS = 256;

// Lanes take turns by served_at. The lock keeps other replicas out of a lane until this claim is committed; it also
// holds back intake, which then sees that the lane must be woken again.
const lockLanes = statement<{ endpoint_id: string }>(
  'webhooks.lock-lanes',
  `select l.endpoint_id from lanes l join endpoints e on e.id = l.endpoint_id
   where l.due_at <= clock_timestamp() and e.enabled and l.endpoint_id <> all ($1::uuid[])
   order by l.served_at, l.endpoint_id limit $2
   for update of l skip locked`,
);

/**
 * Takes the oldest due deliveries of each locked lane into the room the lane has, an equal share for each. A lease
 * that ran out is due like anything else: that is how a crashed worker's claims come back. Lanes that had no turn
 * because the pool, or the share of it that is theirs, was full stay in front.
 *
 * First attempts of a group leave in sequence (F3): one waits while an earlier one is untried, but not longer than
 * two seconds for one that is under way, nor for a predecessor that has not arrived. The statement runs under the
 * lanes' locks with a snapshot of its own, so what it writes as a lane's next due time misses nothing.
 */
const claimDue = statement<ClaimRow>(
  'webhooks.claim-due',
  `with lane as (
     select w.endpoint_id, w.turn, w.allowance,
            least(w.allowance - (select count(*) from deliveries s
                                 where s.endpoint_id = w.endpoint_id and s.status = 'sending'
                                   and s.due_at > statement_timestamp()),
                  greatest(1, $4::integer / count(*) over ())) as room
     from unnest($1::uuid[], $2::integer[]) with ordinality as w (endpoint_id, allowance, turn)
     join endpoints e on e.id = w.endpoint_id and e.enabled
   ), picked as (
     select d.event_id, d.endpoint_id, lane.turn
     from lane cross join lateral (
       select d.event_id, d.endpoint_id from deliveries d
       where d.endpoint_id = lane.endpoint_id and d.status in ('pending', 'sending')
         and d.due_at <= statement_timestamp()
         and (d.attempts > 0 or (
           not exists (
             select from deliveries p
             where p.endpoint_id = d.endpoint_id and p.group_id = d.group_id and p.sequence < d.sequence
               and p.attempts = 0 and p.status in ('pending', 'sending')
               and (p.status = 'pending' or p.claimed_at > statement_timestamp() - interval '2 seconds'))
           and (d.sequence = 1 or d.created_at < statement_timestamp() - interval '2 seconds'
                or exists (select from events v where v.group_id = d.group_id and v.sequence = d.sequence - 1))))
       order by d.due_at, d.event_id
       limit greatest(0, lane.room)
       for update skip locked
     ) d
     order by lane.turn limit $4
   ), claimed as (
     update deliveries d
     set status = 'sending', claim_id = $3, claimed_at = clock_timestamp(),
         due_at = clock_timestamp() + make_interval(secs => $5::float8 / 1000)
     from picked where d.event_id = picked.event_id and d.endpoint_id = picked.endpoint_id
     returning d.event_id, d.endpoint_id, d.claim_id, d.attempts, d.tries, d.resend_from, d.due_at
   ), served as (
     update lanes l
     set served_at = case when lane.allowance > 0 then clock_timestamp() else l.served_at end,
         due_at = least(
           (select min(c.due_at) from claimed c where c.endpoint_id = l.endpoint_id),
           coalesce((select d.due_at from deliveries d
                     where d.endpoint_id = l.endpoint_id and d.status in ('pending', 'sending')
                       and not exists (select from picked where picked.event_id = d.event_id
                                         and picked.endpoint_id = d.endpoint_id)
                     order by d.due_at limit 1), 'infinity'))
     from lane
     where l.endpoint_id = lane.endpoint_id
       and ((select count(*) from picked) < $4 or lane.turn <= (select max(turn) from picked))
     returning l.due_at
   )
   select c.event_id, c.endpoint_id, c.claim_id, c.attempts, c.tries, c.resend_from is not null as is_manual,
          v.merchant_id, v.mode, v.group_id, v.type, v.is_test, v.payload, v.traceparent,
          e.url, e.secret_key_id, e.secret_sealed, retired.key_ids as retired_key_ids, retired.sealed as retired_sealed,
          exists (select from served s where s.due_at <= clock_timestamp()) as is_more_due
   from claimed c
   join events v on v.id = c.event_id
   join endpoints e on e.id = c.endpoint_id
   cross join lateral (${sqlRetiredSecrets('c.endpoint_id')}) retired`,
);

/** Claims due deliveries, oldest first in each lane and in sequence in each group; commits before anything is sent. */
export function claimDeliveries(db: Db, wish: ClaimWish): Promise<Claimed> {
  return db.transaction(async (tx) => {
    const lanes = await tx.query(lockLanes, [wish.closed, LANES_PER_PASS]);
    if (lanes.length === 0) return { claims: [], isMoreDue: false };
    const ids = lanes.map((lane) => lane.endpoint_id);
    const claims = await tx.query(claimDue, [ids, wish.allot(ids), wish.claimId, wish.most, wish.leaseMs]);
    if (claims.length > 0) failBefore('claim');
    // Due lanes of which nothing could be claimed wait for a delivery that is under way.
    const isMoreDue = claims[0]?.is_more_due ?? true;
    return { claims, isMoreDue: isMoreDue || lanes.length === LANES_PER_PASS };
  });
}
