import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, Nullable, OneOf } from '../common.ts';
import { OPERATOR_ROLES, rpc } from '../contract.ts';

/** The public half of an operator's key: an nkey of the kind "operator", which no identity on the bus is. */
export const OPERATOR_KEY = /^O[A-Z2-7]{55}$/;
const PublicKey = Type.String({ pattern: OPERATOR_KEY.source });

/** The name of the person who owns a key. It is one word without `@`: nobody mistakes it for a merchant's user, who has an e-mail address. */
export const OPERATOR_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const OperatorName = Type.String({ pattern: OPERATOR_NAME.source });

const Role = OneOf(OPERATOR_ROLES);

/** A person whose signature was verified, and the key that made it. */
export const Operator = Type.Object({ name: OperatorName, key: PublicKey, role: Role });
export type Operator = Static<typeof Operator>;

/** A key as people see it. `revoked_by` and `added_by` are names; the first key has none who added it. */
export const OperatorKey = Type.Object({
  key: PublicKey,
  name: OperatorName,
  role: Role,
  state: OneOf(['valid', 'expired', 'revoked']),
  added_at: Instant,
  added_by: Nullable(Type.String()),
  expires_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
  revoked_by: Nullable(Type.String()),
});
export type OperatorKey = Static<typeof OperatorKey>;

/**
 * Verifies the proof that came with a request, on behalf of the service that received it, and spends it: a second
 * verification of the same proof fails (Q68). `digest` is the SHA-256 of the request as it was received. Errors:
 * unauthorized with the reason, insufficient_scope.
 */
export const verifyOperator = rpc('rpc.ledger.operators.verify.v1', {
  request: Type.Object({
    subject: Type.String({ maxLength: 200 }),
    digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    proof: Nullable(Type.String({ maxLength: 500 })),
    needs: Role,
  }),
  response: Operator,
});

/**
 * Returns the operator who signed, to a program that acts with rights of its own, and records what that person is
 * about to do unless it only reads. Errors: insufficient_scope.
 */
export const identifyOperator = rpc('rpc.ledger.operators.identify.v1', {
  operator: 'read',
  request: Type.Object({
    needs: Role,
    action: Type.String({ minLength: 1, maxLength: 100 }),
    subject: Type.String({ maxLength: 400 }),
  }),
  response: Operator,
});

/** Registers the public half of a person's key; errors: conflict for a known key, validation_error. */
export const addOperatorKey = rpc('rpc.ledger.operators.add-key.v1', {
  operator: 'admin',
  request: Type.Object({
    key: PublicKey,
    name: OperatorName,
    role: Role,
    expires_at: Nullable(Instant),
  }),
  response: OperatorKey,
});

/** Lists all keys ever registered, newest first. */
export const listOperatorKeys = rpc('rpc.ledger.operators.list-keys.v1', {
  operator: 'read',
  request: Type.Object({}),
  response: Type.Object({ keys: Type.Array(OperatorKey) }),
});

/** Revokes a key: whatever it signs is refused from the answer on. A repeat changes nothing; errors: not_found. */
export const revokeOperatorKey = rpc('rpc.ledger.operators.revoke-key.v1', {
  operator: 'admin',
  request: Type.Object({ key: PublicKey }),
  response: OperatorKey,
});
