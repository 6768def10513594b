import type { ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { Scope } from './endpoints.ts';
import { ARRIVAL } from './event-log.ts';

type Place = { readonly id: string; readonly arrived_at: Date };

const locate = statement<Place>(
  'webhooks.locate-event',
  `select id, ${ARRIVAL} as arrived_at from events
   where id = $3 and merchant_id = $1 and mode = $2 and not is_test`,
);

const locateNewest = statement<Place>(
  'webhooks.locate-newest-event',
  `select id, ${ARRIVAL} as arrived_at from events where merchant_id = $1 and mode = $2 and not is_test
   order by ${ARRIVAL} desc, id desc limit 1`,
);

// Read by events_by_arrival. Nothing becomes visible before a place that was read: see take-events.
const follow = statement<Place & { readonly payload: string }>(
  'webhooks.follow-events',
  `select id, payload, ${ARRIVAL} as arrived_at from events
   where merchant_id = $1 and mode = $2 and not is_test and (${ARRIVAL}, id) > ($3::timestamptz, $4::uuid)
   order by ${ARRIVAL}, id limit $5`,
);

const toPosition = ({ id, arrived_at }: Place): ListPosition => ({
  created_at: arrived_at.toISOString(),
  id,
});

/** Returns the place of an event, or of the newest one; undefined where this merchant has none in this mode. */
export async function findPlace(
  db: Queryable,
  { merchant_id, mode }: Scope,
  id: string | undefined,
): Promise<ListPosition | undefined> {
  const [row] =
    id === undefined
      ? await db.query(locateNewest, [merchant_id, mode])
      : await db.query(locate, [merchant_id, mode, id]);
  return row && toPosition(row);
}

/** Before every event. */
const FIRST = { created_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Returns the texts of the events that arrived after a place, oldest first, and the place of the last of them. */
export async function listEventsAfter(
  db: Queryable,
  { merchant_id, mode }: Scope,
  { after, limit }: { after: ListPosition | null; limit: number },
): Promise<{ payloads: readonly string[]; next: ListPosition | null }> {
  const { created_at, id } = after ?? FIRST;
  const rows = await db.query(follow, [merchant_id, mode, created_at, id, limit]);
  const last = rows.at(-1);
  return { payloads: rows.map(({ payload }) => payload), next: last ? toPosition(last) : after };
}
