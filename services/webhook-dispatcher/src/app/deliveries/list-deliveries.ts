import { fitting } from '@gp/bus';
import { DELIVERY_STATES } from '@gp/contracts';
import type { DeliveryView, listDeliveries as contract, RequestOf, ResponseOf } from '@gp/contracts';
import type { Queryable } from '@gp/pg';
import * as log from '../../db/delivery-log.ts';
import { deliveryView } from './delivery-view.ts';
import { knownEndpoint } from '../endpoints/open-endpoint.ts';

type List = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

/** An endpoint's deliveries with their attempts, newest first. Rejects with `not_found`. */
export function listDeliveries(db: Queryable): List {
  return async ({ endpoint_id, state, event_type, limit, after, ...scope }) => {
    await knownEndpoint(db, scope, endpoint_id);
    const statuses = state === undefined ? DELIVERY_STATES : [state];
    const filter = { statuses: statuses.flatMap(toStatuses), event_type };
    const { rows, next } = await log.listDeliveries(db, endpoint_id, filter, { limit, after });
    const attempts = await log.listAttempts(
      db,
      endpoint_id,
      rows.map((row) => row.event_id),
    );
    const byEvent = Map.groupBy(attempts, (attempt) => attempt.event_id);
    const views = rows.map((row) => deliveryView(row, byEvent.get(row.event_id) ?? []));
    // Eight attempts with 16 kB of control characters each, in JSON six bytes a character, are 800 kB.
    const deliveries = fitting(views);
    const last = deliveries.at(-1);
    const isCut = last && deliveries.length < views.length;
    return { deliveries, next: isCut ? { created_at: last.created_at, id: last.id } : next };
  };
}

/** One delivery with its attempts; undefined when the endpoint has none of this event. */
export async function findDelivery(
  db: Queryable,
  endpointId: string,
  eventId: string,
): Promise<DeliveryView | undefined> {
  const row = await log.findDelivery(db, endpointId, eventId);
  return row && deliveryView(row, await log.listAttempts(db, endpointId, [eventId]));
}

const toStatuses = (state: string): string[] => (state === 'pending' ? ['pending', 'sending'] : [state]);
