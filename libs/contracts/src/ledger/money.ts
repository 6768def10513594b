import Type, { type Static } from '@gp/bundled/typebox';
import { CurrencyCode, Minor, PspCode, Scope } from '../common.ts';
import { rpc } from '../contract.ts';

/** The longest period of a statement, days: every quarter of a year fits. */
export const LONGEST_STATEMENT_DAYS = 92;
/** The days that a statement may be about. */
export const FIRST_STATEMENT_DAY = '2000-01-01';
export const LAST_STATEMENT_DAY = '2999-12-31';

/** The money that moved, by what happened to it; none of the amounts is negative. */
export const MoneyMovements = Type.Object({
  /** Placed on cards. */
  held_minor: Minor,
  /** Given back without a capture. */
  released_minor: Minor,
  captured_minor: Minor,
  refunded_minor: Minor,
  /** Refunds that came back to the merchant. */
  returned_minor: Minor,
  /** Captures that the card scheme took back. */
  reversed_minor: Minor,
  /**
   * What is left of payments whose latest dispute began then and is open or was lost. It moves no money here: the books of the
   * ledger do not say whether a dispute was lost.
   */
  disputed_minor: Minor,
});
export type MoneyMovements = Static<typeof MoneyMovements>;

/** Where money stands at one moment. */
export const MoneyStanding = Type.Object({
  /** Held on cards and not captured. */
  on_hold_minor: Minor,
  /** Captured, without what went back by refunds and reversals. */
  net_minor: Minor,
  /** How much of the net amount is tips; absent in replies of earlier releases. */
  tips_minor: Type.Optional(Minor),
});
export type MoneyStanding = Static<typeof MoneyStanding>;

const ofGateway = { psp_code: PspCode, currency: CurrencyCode };

export const MoneyBalance = Type.Object({
  ...ofGateway,
  ...MoneyStanding.properties,
  /** Since the first payment. */
  movements: MoneyMovements,
});
export type MoneyBalance = Static<typeof MoneyBalance>;

export const MoneyDay = Type.Object({
  day: Type.String({ format: 'date' }),
  ...MoneyMovements.properties,
  /** At the end of the day. */
  ...MoneyStanding.properties,
});
export type MoneyDay = Static<typeof MoneyDay>;

/** Opening balance and movements add up to the closing balance. */
export const MoneyStatement = Type.Object({
  ...ofGateway,
  opening: MoneyStanding,
  movements: MoneyMovements,
  closing: MoneyStanding,
  /** Days with a movement, oldest first. */
  days: Type.Array(MoneyDay, { maxItems: LONGEST_STATEMENT_DAYS }),
});
export type MoneyStatement = Static<typeof MoneyStatement>;

/** Returns how a merchant's money stands now, by the postings: one balance for each gateway and currency that had any. */
export const findBalance = rpc('rpc.ledger.postings.balance.v1', {
  repeatable: true,
  request: Type.Object(Scope),
  response: Type.Object({ balances: Type.Array(MoneyBalance) }),
});

/**
 * The first and the last day of a period, in a time zone by its IANA name. Without `from` it begins with the month of `to`, without
 * `to` it ends with the month of `from`; without both it is the current month of the merchant's time.
 */
export const StatementPeriod = {
  from: Type.Optional(Type.String({ maxLength: 10 })),
  to: Type.Optional(Type.String({ maxLength: 10 })),
  /** UTC without it. */
  time_zone: Type.Optional(Type.String({ maxLength: 64 })),
};

/**
 * Returns a statement for each gateway and currency that had money until the end of the period, without the first `skip` of
 * them: as many as a message holds, but at least one where there is one. `is_cut` is true where there are more. Errors:
 * validation_error for a day or time zone that does not exist, and for a period that is turned round or too long.
 */
export const findStatement = rpc('rpc.ledger.postings.statement.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, ...StatementPeriod, skip: Type.Integer({ minimum: 0, maximum: 1_000 }) }),
  response: Type.Object({
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    time_zone: Type.String(),
    statements: Type.Array(MoneyStatement),
    is_cut: Type.Boolean(),
    /** Whether the period is over, by the merchant's clock; absent in replies of earlier releases. */
    is_final: Type.Optional(Type.Boolean()),
  }),
});
