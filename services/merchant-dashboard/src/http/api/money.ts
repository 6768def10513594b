import type { PspCode } from '@gp/contracts';

/** An amount of money; `text` has all decimals of its currency, for `Intl.NumberFormat`. */
export type Money = { readonly minor: string; readonly currency: string; readonly text: string };

/** Where money stands at one moment. */
export type StandingMoney = {
  /** Held on cards and not captured. */
  readonly on_hold: Money;
  /** Captured, without what was refunded or reversed. */
  readonly net: Money;
  /** How much of the net amount is tips. */
  readonly tips: Money;
};
/** Money that moved. */
export type MovedMoney = {
  readonly held: Money;
  readonly released: Money;
  readonly captured: Money;
  readonly refunded: Money;
  /** Refunds that came back. */
  readonly returned: Money;
  /** Captures that the card scheme took back. */
  readonly reversed: Money;
  /** What is left of payments whose dispute began then and is open or was lost; it moves no money here. */
  readonly disputed: Money;
};

type OfGateway = { readonly psp_code: PspCode; readonly currency: string };
export type ShownBalance = OfGateway & StandingMoney & MovedMoney;
export type StatementDay = { readonly day: string } & StandingMoney & MovedMoney;
export type ShownStatement = OfGateway & {
  readonly opening: StandingMoney;
  readonly movements: MovedMoney;
  readonly closing: StandingMoney;
  /** Days with a movement, oldest first, with the standing at their end. */
  readonly days: readonly StatementDay[];
};
/** GET /api/{mode}/balance: one for each gateway and currency, with what moved since the first payment. */
export type BalancePage = { readonly balances: readonly ShownBalance[] };
/**
 * GET /api/{mode}/statement?from=&to=&time_zone=
 * GET /api/{mode}/statement/export?from=&to=&time_zone=&format=csv|json: the same as a file.
 */
export type StatementPage = {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly statements: readonly ShownStatement[];
};
