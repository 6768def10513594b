import type { PspCode } from '@gp/contracts';

/** GET /api/test/clock; POST …/advance {seconds}; POST …/reset {} */
export type TestClock = {
  readonly now: string;
  readonly ahead_seconds: number;
  readonly remaining_seconds: number;
  readonly state: 'settled' | 'advancing';
};

/** GET /api/{mode}/setup: what a merchant has done so far, for pages that teach while they are empty. */
export type Setup = {
  readonly has_key: boolean;
  readonly active_gateway: PspCode | null;
  readonly has_group_payment: boolean;
  readonly has_webhook: boolean;
  /** Where the public API is served, for the examples. */
  readonly api_url: string;
  /** Where the checkout pages and the widget's script are served. */
  readonly checkout_url?: string;
  /** Where the sandbox is, in a stack for trying out; null elsewhere. */
  readonly sandbox_url: string | null;
};
/**
 * POST /api/test/first-payment {group_name?, total_amount?, currency?, number_of_slots?, expires_in_seconds?} with an
 * Idempotency-Key: makes a group payment, so that one sees what one is like; a small one of what is left out. The amount is
 * a text, such as `30.00`.
 */
export type FirstPayment = { readonly id: string; readonly checkout_url: string };
