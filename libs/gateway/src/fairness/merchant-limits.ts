import type { Account, Rate } from '../token-bucket.ts';

/** What one merchant may use of an adapter: calls a second, and orders of one operation, or looks for callbacks, in hand at once. */
export type MerchantLimits = { readonly callsPerSecond: number; readonly concurrency: number };

/** The limits of merchants without own ones, and the own ones by merchant id, as `calls a second:at once`. */
export type LimitSettings = {
  readonly accountCallsPerSecond: number;
  readonly merchantConcurrency: number;
  readonly merchantLimits?: Readonly<Record<string, string>> | undefined;
};

const UP_TO_1000 = '(?:[1-9]\\d{0,2}|1000)';
/** How the own limits of a merchant are written. */
export const OWN_LIMITS = new RegExp(`${UP_TO_1000}:${UP_TO_1000}`);

/** Returns the limits of a merchant: its own ones, or those of everybody. Both modes have these limits, and each mode counts for itself. */
export function findLimits(settings: LimitSettings, merchantId: string): MerchantLimits {
  const { accountCallsPerSecond, merchantConcurrency, merchantLimits = {} } = settings;
  const own = Object.hasOwn(merchantLimits, merchantId) ? merchantLimits[merchantId] : undefined;
  const [callsPerSecond = accountCallsPerSecond, concurrency = merchantConcurrency] =
    own?.split(':').map(Number) ?? [];
  return { callsPerSecond, concurrency };
}

/** Returns how often accounts may be called: the calls of a second may come at once. */
export const findRates =
  (settings: LimitSettings) =>
  ({ merchantId }: Pick<Account, 'merchantId'>): Rate => {
    const { callsPerSecond } = findLimits(settings, merchantId);
    return { perSecond: callsPerSecond, burst: callsPerSecond };
  };
