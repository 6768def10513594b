import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, Nullable, OneOf, Scope, Uuid } from '../common.ts';
import { message } from '../contract.ts';

/** `failing`: nothing was acknowledged for hours. `given_up`: deliveries are not tried any more. */
export const ENDPOINT_TROUBLES = ['failing', 'given_up'] as const;
export type EndpointTrouble = (typeof ENDPOINT_TROUBLES)[number];

/** A webhook endpoint of live mode that acknowledges nothing, of which its merchant is notified (K19). */
export const EndpointFailing = Type.Object({
  /** The same when it is published again. */
  notice_id: Uuid,
  ...Scope,
  endpoint_id: Uuid,
  /** The endpoint's address without what may be secret in it. */
  address: Type.String({ maxLength: 2_100 }),
  trouble: OneOf(ENDPOINT_TROUBLES),
  /** Nothing was acknowledged since then. */
  failing_since: Instant,
  noticed_at: Instant,
  /** Deliveries that are still tried. */
  waiting: Type.Integer({ minimum: 0 }),
  /** Deliveries that were given up since then. */
  given_up: Type.Integer({ minimum: 0 }),
  /** The latest response of the endpoint; null when it gave none. */
  http_status: Nullable(Type.Integer()),
  /** Why it gave no response, such as `connect_timeout`; null when it gave one. */
  error_class: Nullable(Type.String({ maxLength: 40 })),
});
export type EndpointFailing = Static<typeof EndpointFailing>;
/** Subject ends with the merchant id. */
export const endpointFailing = message('evt.webhooks.endpoint.failing.v1', EndpointFailing);
