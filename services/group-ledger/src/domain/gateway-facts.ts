import type { Currency } from '@gp/money';
import type { PspCode } from './group/group.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What the ledger must know of a gateway. Adding one is a row in the table below. */
export type GatewayFacts = {
  /** How long a payer may keep slots without finishing. */
  readonly reservationTtlMs: number;
  /** Whether the payment is prepared with the reservation, so that the payer may act at any time; else our server authorises. */
  readonly isPrepared: boolean;
  /** Whether what was prepared can be ended before the payer acted. */
  readonly isCancellable: boolean;
  /** Whether this API can give captured money back. */
  readonly isRefundable: boolean;
  /** The smallest step it takes of a currency, in our minor units. */
  readonly stepOf: (currency: Currency) => bigint;
  /** When a prepared payment that nobody reported about is asked for, since the reservation; then hourly. */
  readonly questionsMs: readonly number[];
  /** When one that the gateway did not know is asked for once more, since the reservation; after these the daily comparison. */
  readonly recallsMs: readonly number[];
};

export const gatewayFacts: Readonly<Record<PspCode, GatewayFacts>> = {
  gateway_a: {
    reservationTtlMs: 15 * minute,
    isPrepared: true,
    isCancellable: true,
    isRefundable: true,
    // Of three decimals the last must be 0; ariary are charged whole, although ISO 4217 gives them cents.
    stepOf: ({ code, exponent }) => (code === 'MGA' ? 100n : exponent === 3 ? 10n : 1n),
    // Its callbacks come within seconds: what is not told after two minutes was lost, or the payer is still typing.
    questionsMs: [2 * minute, 7 * minute, 22 * minute, 52 * minute],
    // Unknown means that its preparation failed; a retry of the merchant's may have brought it about after all.
    recallsMs: [7 * minute, 22 * minute, 52 * minute],
  },
  gateway_b: {
    reservationTtlMs: 15 * minute,
    isPrepared: false,
    isCancellable: false,
    isRefundable: true,
    stepOf: () => 1n,
    questionsMs: [],
    recallsMs: [],
  },
  gateway_c: {
    // The bank's form lives 30 minutes and cannot be ended: its slots wait for that, and for two questions after it.
    reservationTtlMs: 40 * minute,
    isPrepared: true,
    isCancellable: false,
    isRefundable: false,
    stepOf: () => 1n,
    // Notifications do get lost. Only after the form's end does "no such order" mean that nobody paid.
    questionsMs: [2 * minute, 10 * minute, 31 * minute, 35 * minute],
    // The form's life begins when a browser brings it to the bank, which may be long after we gave it out.
    recallsMs: [65 * minute, 125 * minute, 6 * hour, 24 * hour],
  },
};

export const isCancellable = (pspCode: PspCode): boolean => gatewayFacts[pspCode].isCancellable;
export const isPreparedAtGateway = (pspCode: PspCode): boolean => gatewayFacts[pspCode].isPrepared;
export const isRefundable = (pspCode: PspCode): boolean => gatewayFacts[pspCode].isRefundable;

/** One fact of every gateway, as a policy wants it. */
export function ofEachGateway<T>(pick: (facts: GatewayFacts) => T): Readonly<Record<PspCode, T>> {
  const { gateway_a, gateway_b, gateway_c } = gatewayFacts;
  return { gateway_a: pick(gateway_a), gateway_b: pick(gateway_b), gateway_c: pick(gateway_c) };
}
