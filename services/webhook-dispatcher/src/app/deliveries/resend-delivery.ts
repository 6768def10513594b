import type { RequestOf, resendDelivery as contract, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { requestResend } from '../../db/resends.ts';
import { failAfter, failBefore } from '../../fail-points.ts';
import { findDelivery } from './list-deliveries.ts';
import { openEndpoint } from '../endpoints/open-endpoint.ts';

type Resend = (request: RequestOf<typeof contract>) => Promise<ResponseOf<typeof contract>>;

/**
 * Has a delivery attempted once more, in any state. Acknowledged, it is delivered and its retries end; else it keeps its
 * former state, and its next attempt comes at its former time. Two requests before it was sent send it once. Rejects with
 * `not_found`, and with `conflict` while the endpoint is disabled.
 */
export function resendDelivery(o: { readonly db: Db; readonly wake: () => void }): Resend {
  return async ({ endpoint_id, delivery_id, ...scope }) => {
    await openEndpoint(o.db, scope, endpoint_id);
    failBefore('resend');
    await requestResend(o.db, endpoint_id, delivery_id);
    const view = await findDelivery(o.db, endpoint_id, delivery_id);
    if (!view) throw notFound('delivery');
    failAfter('resend');
    o.wake();
    return view;
  };
}
