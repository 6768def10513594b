import Type, { type Static } from '@gp/bundled/typebox';
import {
  CurrencyCode,
  Instant,
  ListPosition,
  Minor,
  Nullable,
  OneOf,
  PspCode,
  Scope,
  Uuid,
} from '../common.ts';
import { rpc } from '../contract.ts';
import { StatementPeriod } from './money.ts';

/** What happened to an amount, as in `MoneyMovements`. */
export const MOVEMENT_KINDS = [
  'held',
  'released',
  'captured',
  'refunded',
  'returned',
  'reversed',
  'disputed',
] as const;
export const MovementKind = OneOf(MOVEMENT_KINDS);
export type MovementKind = Static<typeof MovementKind>;

/**
 * One movement of money: an entry of the ledger's books. The part of a capture that is a tip is a movement of its own. A dispute
 * that is open or was lost is one at the time it began, with what is left of the payment; it moves no money here.
 */
export const Movement = Type.Object({
  id: Uuid,
  at: Instant,
  kind: MovementKind,
  /** Whether the amount is a tip. Holds and releases are not divided. */
  is_tip: Type.Boolean(),
  psp_code: PspCode,
  currency: CurrencyCode,
  /** Never negative: the kind has the direction. */
  amount_minor: Minor,
  group_id: Uuid,
  group_name: Type.String(),
  merchant_order_id: Type.String(),
  client_reference: Nullable(Type.String()),
  intent_id: Uuid,
});
export type Movement = Static<typeof Movement>;

/** All movements of one currency and kind. */
export const MovementTotal = Type.Object({
  currency: CurrencyCode,
  kind: MovementKind,
  count: Type.Integer({ minimum: 1 }),
  amount_minor: Minor,
  /** How much of the amount is tips. */
  tips_minor: Minor,
});
export type MovementTotal = Static<typeof MovementTotal>;

/**
 * Returns a page of a merchant's movements in a period, the newest first: those behind `after` when it is given, in the order of
 * time and id. In a position of this list, `created_at` is the time of the movement. Their sums are those of a statement for the
 * same period. `totals` of everything that the filter matches come where they are asked for. Errors: validation_error as for
 * statements.
 */
export const listMovements = rpc('rpc.ledger.postings.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    ...StatementPeriod,
    kind: Type.Optional(MovementKind),
    currency: Type.Optional(CurrencyCode),
    psp_code: Type.Optional(PspCode),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
    with_totals: Type.Boolean(),
  }),
  response: Type.Object({
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    time_zone: Type.String(),
    movements: Type.Array(Movement),
    next: Nullable(ListPosition),
    totals: Type.Optional(Type.Array(MovementTotal)),
  }),
});
