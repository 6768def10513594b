import Type, { type Static } from 'typebox';
import { message, rpc } from '../contract.ts';
import { Mode, OneOf, Scope, Uuid } from '../common.ts';

/** What a token may do with its group; a group that can no longer be paid gets tokens that only read. */
export const SESSION_SCOPES = ['read', 'pay', 'confirm'] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

export const SHORTEST_SESSION_SECONDS = 60;
export const LONGEST_SESSION_SECONDS = 3_600;

/** What tells a session token from any other token of ours; whoever verifies one insists on all of it (RFC 8725). */
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
  /** Tokens of an epoch before the group's own are revoked. */
  epoch: Type.Integer({ minimum: 0 }),
  /** The token is for one payer or for some slots only; checkout knows which. */
  limited: Type.Boolean(),
});
export type SessionClaims = Static<typeof SessionClaims>;

/** Mints a token; errors: not_found, invalid_slot_ids. Minting twice makes two tokens, which harms nobody. */
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

/** Ends every token minted for a group so far, within a second; errors: not_found. Repeating it ends later ones too. */
export const revokeSessions = rpc('rpc.checkout.sessions.revoke.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_id: Uuid }),
  response: Type.Object({ epoch: Type.Integer({ minimum: 1 }) }),
});

/** Tokens of the group are good from this epoch on. */
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

/** Every key whose tokens may still live. */
export const listSigningKeys = rpc('rpc.checkout.signing-keys.list.v1', {
  repeatable: true,
  request: Type.Object({}),
  response: Type.Object({ keys: Type.Array(SigningKey) }),
});

/** Replaces a mode's signing key at once and forgets the older ones: for a key that leaked. Their tokens end. */
export const replaceSigningKeys = rpc('rpc.checkout.signing-keys.replace.v1', {
  request: Type.Object({ mode: Mode }),
  response: Type.Object({ kid: Type.String() }),
});

/** What is published has changed: whoever remembers keys asks for them again. Subject ends with the mode. */
export const signingKeysChanged = message(
  'evt.checkout.signing_keys.changed.v1',
  Type.Object({ mode: Mode }),
);
