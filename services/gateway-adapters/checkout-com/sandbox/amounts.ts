import { findCurrency } from '@gp/money';

/** Returns the number of decimals of a currency; the gateway uses the minor units of ISO 4217. */
export const findDecimals = (currency: string): number => findCurrency(currency)?.exponent ?? 2;
