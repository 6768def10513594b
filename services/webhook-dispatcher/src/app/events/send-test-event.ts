import type { RequestOf, ResponseOf, sendTestEvent as contract } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import { insertTestEvent } from '../../db/resends.ts';
import { testEvent } from '../../domain/test-event.ts';
import { findDelivery } from '../deliveries/list-deliveries.ts';
import { openEndpoint } from '../endpoints/open-endpoint.ts';

type Send = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

/**
 * Sends an event of this type that never happened to this endpoint alone, subscribed or not, on the way every event
 * takes. No list of events and no recovery knows it. Rejects with `not_found`, and with `conflict` while disabled.
 */
export function sendTestEvent(o: { readonly db: Db; readonly wake: () => void }): Send {
  return async ({ endpoint_id, event_type, ...scope }) => {
    await openEndpoint(o.db, scope, endpoint_id);
    const event = testEvent(event_type, { id: uuidv7(), now: new Date(), mode: scope.mode });
    const { id, type, created } = event;
    const stored = { id, type, payload: JSON.stringify(event), createdAt: created };
    await insertTestEvent(o.db, endpoint_id, stored);
    o.wake();
    const view = await findDelivery(o.db, endpoint_id, id);
    if (!view) throw notFound('delivery');
    return view;
  };
}
