import Type, { type Static } from '@gp/bundled/typebox';
import { message, rpc } from '../contract.ts';
import { Instant, Nullable, PspCode, Scope, Uuid } from '../common.ts';

/** A merchant's connection to a gateway, without its secrets. Projected by ledger and checkout. */
export const GatewayConnection = Type.Object({
  ...Scope,
  psp_code: PspCode,
  version: Type.Integer({ minimum: 1 }),
  active: Type.Boolean(),
  revoked_at: Nullable(Instant),
  /** Grows with every change of the merchant's connections in this mode; older messages are ignored. */
  revision: Type.Integer({ minimum: 1 }),
});
export type GatewayConnection = Static<typeof GatewayConnection>;
/** Subject ends with the merchant id. */
export const gatewayChanged = message('evt.merchant.gateway.changed.v1', GatewayConnection);

/**
 * The fast path of the same message: after its reply, the next payment uses the connection. The durable event
 * follows, and the second to arrive changes nothing.
 */
export const noteGateway = rpc('rpc.ledger.gateways.note.v1', {
  repeatable: true,
  request: GatewayConnection,
  response: Type.Object({}),
});

/** The rights that a restricted API key may have. */
export const KEY_SCOPES = ['read', 'payments', 'refunds', 'webhooks', 'logs', 'test_clock'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** An API key as the edge stores it: never the key, only its HMAC. */
export const ApiKeyRecord = Type.Object({
  ...Scope,
  key_id: Uuid,
  /** HMAC-SHA256 of the key text under the pepper named by `pepper_id`, hex. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  pepper_id: Type.String({ maxLength: 20 }),
  revoked_at: Nullable(Instant),
  revision: Type.Integer({ minimum: 1 }),
  /** Absent for a key without restrictions, which has every right; an unknown right allows nothing. */
  scopes: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
  /** Absent for a key that does not expire. */
  expires_at: Type.Optional(Instant),
  /** Networks in CIDR form from which the key may be used; absent for any. */
  allowed_addresses: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 })),
});
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;
/** Subject ends with the merchant id. */
export const apiKeyChanged = message('evt.merchant.api_key.changed.v1', ApiKeyRecord);

/** A browser sent a secret key, so the key stands in a page (Q29). Sightings are counted before they are published. */
export const KeyExposure = Type.Object({
  ...Scope,
  key_id: Uuid,
  origin: Type.String({ maxLength: 255 }),
  count: Type.Integer({ minimum: 1 }),
  first_seen_at: Instant,
  last_seen_at: Instant,
});
export type KeyExposure = Static<typeof KeyExposure>;
export const noteKeyExposure = message('cmd.merchant.key_exposure.note.v1', KeyExposure);
