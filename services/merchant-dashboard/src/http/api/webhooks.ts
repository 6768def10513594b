import type { DeliveryView, EndpointView, RecoveryView, SentEvent } from '@gp/contracts';

/** GET …/webhooks → {endpoints}; GET|PATCH|DELETE …/webhooks/{id}; POST …/webhooks → CreatedEndpoint */
export type Endpoint = EndpointView;
export type EndpointHealth = {
  readonly endpoint_id: string;
  /** In the last 24 hours. */
  readonly acknowledged: number;
  readonly failed: number;
  /** At present. */
  readonly pending: number;
  readonly held: number;
  readonly last_acknowledged_at: string | null;
  /** Since when nothing was acknowledged; null, or absent, when the latest request was. */
  readonly failing_since?: string | null;
  /** The latest response; null when there was none. */
  readonly last_http_status?: number | null;
  /** Why there was none. */
  readonly last_error_class?: string | null;
  readonly next_attempt_at?: string | null;
};
export type EndpointList = {
  readonly endpoints: readonly Endpoint[];
  readonly health: readonly EndpointHealth[];
};
export type CreatedEndpoint = Endpoint & { readonly secret: string };
/** POST …/webhooks/{id}/roll-secret {overlap_seconds: 0|3600|86400|604800} */
export type RolledEndpoint = CreatedEndpoint & { readonly previous_secrets_end_at: string | null };
/** GET …/webhooks/{id}/deliveries?state=&event_type=&cursor=&limit=; GET …/deliveries/export?…&format=csv|jsonl; POST …/webhooks/{id}/test {event_type} → Delivery */
export type Delivery = DeliveryView;
export type DeliveryPage = { readonly deliveries: readonly Delivery[]; readonly next_cursor: string | null };
/** POST …/webhooks/{id}/deliveries/{delivery_id}/resend → Delivery */
/** POST …/webhooks/{id}/recover {since, until?}; GET …/webhooks/{id}/recoveries/{recovery_id} */
export type Recovery = RecoveryView;

/**
 * GET /api/{mode}/events?type=&group_payment_id=&created_after=&created_before=&delivered=&cursor=&limit=
 * GET /api/{mode}/events/export?…&format=csv|jsonl: all that the filters leave, as a file.
 */
export type EventPage = { readonly events: readonly ListedEvent[]; readonly next_cursor: string | null };
/** An event as it was sent, and the name that its group payment has now; null where the ledger could not be asked. */
export type ListedEvent = SentEvent & { readonly group_name: string | null };
/** GET /api/{mode}/events/{id} */
export type Event = SentEvent;
