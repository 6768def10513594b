import type { GroupState } from '@gp/contracts';
import type { Money } from './money.ts';

/** GET /api/{mode}/charts/money?days=30: UTC days of the merchant's time, oldest first, days without money included. */
export type MoneyChart = {
  readonly now: string;
  readonly currencies: readonly {
    readonly currency: string;
    readonly days: readonly {
      readonly day: string;
      readonly held: Money;
      readonly captured: Money;
      readonly refunded: Money;
    }[];
    readonly totals: { readonly held: Money; readonly captured: Money; readonly refunded: Money };
  }[];
  /** Group payments created in the period, by their current state. */
  readonly groups: readonly { readonly state: GroupState; readonly count: number }[];
};
/** GET /api/{mode}/charts/webhooks?days=7 */
export type WebhookChart = {
  readonly days: readonly {
    readonly day: string;
    readonly acknowledged: number;
    readonly failed: number;
    /** Share of attempts that were acknowledged, 0 to 1; null on a day without any. */
    readonly success_rate: number | null;
  }[];
};
