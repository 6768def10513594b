import type { PspCode } from '@gp/contracts';

/** GET /api/test/clock; POST …/advance {seconds}; POST …/reset {} */
export type TestClock = {
  readonly now: string;
  readonly ahead_seconds: number;
  readonly remaining_seconds: number;
  readonly state: 'settled' | 'advancing';
};

/** GET /api/{mode}/setup: which steps a merchant has completed, for pages that guide while they are empty. */
export type Setup = {
  readonly has_key: boolean;
  readonly active_gateway: PspCode | null;
  readonly has_group_payment: boolean;
  readonly has_webhook: boolean;
  /** The address of the public API, for the examples. */
  readonly api_url: string;
  /** The address of the checkout pages and the widget's script. */
  readonly checkout_url?: string;
  /** The address of the sandbox in a trial stack; null elsewhere. */
  readonly sandbox_url: string | null;
};
