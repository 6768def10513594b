import Type, { type Static } from '@gp/bundled/typebox';
import { message, rpc } from '../contract.ts';
import { ActorName, CommandIdentity, Mode, OneOf, Scope, Uuid } from '../common.ts';

/** The rights of a token in its group; a group that can no longer be paid gets tokens that only read. */
export const SESSION_SCOPES = ['read', 'pay', 'confirm'] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

export const SHORTEST_SESSION_SECONDS = 60;
export const LONGEST_SESSION_SECONDS = 3_600;

/**
 * The values that distinguish a session token from other tokens of ours; a verifier checks all of them (RFC 8725).
 */
export const SESSION_TOKEN = {
  alg: 'EdDSA',
  typ: 'gp-session+jwt',
  iss: 'group-payments/checkout',
  aud: 'group-payments/v1',
} as const;

/** The claims beside `iss`, `aud`, `iat` and `exp`. No payer's data: a browser can read all of it. */
export const SessionClaims = Type.Object({
  /** The merchant. */
  mid: Type.String({ minLength: 1, maxLength: 64 }),
  /** The group payment. */
  gp: Uuid,
  mode: Mode,
  scope: Type.Array(OneOf(SESSION_SCOPES), { minItems: 1, maxItems: 3 }),
  jti: Uuid,
  /** Tokens of an older epoch than the group's own are revoked. */
  epoch: Type.Integer({ minimum: 0 }),
  /** The token is limited to one payer or to some slots; checkout stores which. */
  limited: Type.Boolean(),
  /** How often the link of the group's page had been replaced; absent in tokens of release 1.0. */
  link: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type SessionClaims = Static<typeof SessionClaims>;

/** Mints a token; errors: not_found, invalid_slot_ids. Minting twice makes two tokens, which is harmless. */
export const mintSession = rpc('rpc.checkout.sessions.mint.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    group_id: Uuid,
    expires_in: Type.Optional(
      Type.Integer({ minimum: SHORTEST_SESSION_SECONDS, maximum: LONGEST_SESSION_SECONDS }),
    ),
    customer_email: Type.Optional(Type.String({ maxLength: 320 })),
    slot_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 30 })),
  }),
  response: Type.Object({ token: Type.String(), group_id: Uuid, expires_in: Type.Integer({ minimum: 0 }) }),
});

/**
 * Ends every token minted for a group so far, within a second; errors: not_found. A repeat also ends tokens minted
 * since.
 */
export const revokeSessions = rpc('rpc.checkout.sessions.revoke.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid }),
  response: Type.Object({ epoch: Type.Integer({ minimum: 1 }) }),
});

/**
 * Replaces the link of a group's page: the old address is unknown from then on, and every token minted so far ends
 * within a second; errors: not_found, idempotency_key_reused.
 */
export const rollCheckoutLink = rpc('rpc.checkout.links.roll.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...CommandIdentity,
    group_id: Uuid,
    actor: ActorName,
  }),
  response: Type.Object({ page_token: Type.String({ minLength: 22 }) }),
});

/** Tokens of the group are valid from this epoch on. */
export const SessionEpoch = Type.Object({ ...Scope, group_id: Uuid, epoch: Type.Integer({ minimum: 1 }) });
export type SessionEpoch = Static<typeof SessionEpoch>;
/** Subject ends with the group id. */
export const sessionEpochRaised = message('evt.checkout.session_epoch.raised.v1', SessionEpoch);

/** The public half of a signing key, as a JSON Web Key. Each mode has keys of its own. */
export const SigningKey = Type.Object({
  kid: Type.String({ minLength: 1, maxLength: 64 }),
  mode: Mode,
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
});
export type SigningKey = Static<typeof SigningKey>;

/** Lists every key whose tokens may still be valid. */
export const listSigningKeys = rpc('rpc.checkout.signing-keys.list.v1', {
  repeatable: true,
  request: Type.Object({}),
  response: Type.Object({ keys: Type.Array(SigningKey) }),
});

/** Replaces a mode's signing key at once and drops the older ones: for a key that leaked. Their tokens end. */
export const replaceSigningKeys = rpc('rpc.checkout.signing-keys.replace.v1', {
  operator: 'act',
  request: Type.Object({ mode: Mode }),
  response: Type.Object({ kid: Type.String() }),
});

/** The published keys have changed: services that cache keys read them again. Subject ends with the mode. */
export const signingKeysChanged = message(
  'evt.checkout.signing_keys.changed.v1',
  Type.Object({ mode: Mode }),
);
