import { findCurrency } from '@gp/money';

/** The number of decimals of a currency; the gateway counts in the minor units of ISO 4217. */
export const findDecimals = (currency: string): number => findCurrency(currency)?.exponent ?? 2;
