import type { MovementKind, PspCode } from '@gp/contracts';

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
  /** Whether the period is over: nothing that moves money can be added. */
  readonly is_final: boolean;
  readonly statements: readonly ShownStatement[];
};

export type ShownMovement = {
  readonly id: string;
  readonly at: string;
  readonly kind: MovementKind;
  /** Whether the amount is a tip. */
  readonly is_tip: boolean;
  readonly amount: Money;
  readonly psp_code: PspCode;
  readonly group_payment_id: string;
  readonly group_name: string;
  readonly merchant_order_id: string;
  readonly client_reference: string | null;
  readonly payment_intent_id: string;
};
export type MovementSum = {
  readonly kind: MovementKind;
  readonly count: number;
  readonly amount: Money;
  /** How much of the amount is tips. */
  readonly tips: Money;
};
/**
 * GET /api/{mode}/movements?from=&to=&time_zone=&kind=&currency=&psp_code=&cursor=&limit= with the newest first, and the totals of all
 * that the filter matches.
 * GET /api/{mode}/movements/export?from=&to=&time_zone=&kind=&currency=&psp_code=&format=csv|jsonl: all of them as a file.
 */
export type MovementPage = {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly movements: readonly ShownMovement[];
  readonly totals: readonly MovementSum[];
  readonly next_cursor: string | null;
};
