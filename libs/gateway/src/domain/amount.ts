import type { ErrorCode } from '@gp/errors';
import type { Currency } from '@gp/money';

/** How a gateway takes amounts of one currency. Amounts here are our minor units. */
export type AmountRule = {
  /** Decimals on the gateway's wire, which need not be those of ISO 4217. */
  readonly exponent: number;
  /** The coarsest step it accepts: amounts must be multiples of it. */
  readonly unit: bigint;
  readonly minimum: bigint;
  readonly maximum: bigint;
};

/** Returns the public code for an amount the gateway would refuse, undefined when it may be sent. */
export function refuseAmount(rule: AmountRule | undefined, minor: bigint): ErrorCode | undefined {
  if (!rule || minor % rule.unit !== 0n) return 'currency_not_supported_by_gateway';
  if (minor < rule.minimum) return 'amount_below_gateway_minimum';
  return minor > rule.maximum ? 'amount_above_gateway_maximum' : undefined;
}

/**
 * Converts our minor units to the gateway's; throws where digits would be lost, which `refuseAmount` excludes.
 */
export function toGatewayMinor(minor: bigint, currency: Currency, { exponent }: AmountRule): bigint {
  return rescale(minor, exponent - currency.exponent);
}

/** Converts the gateway's number to our minor units. */
export function fromGatewayMinor(amount: bigint, currency: Currency, { exponent }: AmountRule): bigint {
  return rescale(amount, currency.exponent - exponent);
}

function rescale(amount: bigint, shift: number): bigint {
  if (shift >= 0) return amount * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  if (amount % divisor !== 0n) throw new Error(`amount ${amount} has digits the other side cannot carry`);
  return amount / divisor;
}
