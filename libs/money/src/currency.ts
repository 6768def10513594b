import { activeByExponent } from './iso-4217.ts';

/** One unit of the currency is 10^exponent minor units; `numeric` keeps its leading zeros. */
export type Currency = { readonly code: string; readonly numeric: string; readonly exponent: number };

/** Every active currency, ordered by code. */
export const currencies: readonly Currency[] = Object.entries(activeByExponent)
  .flatMap(([exponent, list]) =>
    list.split(',').map((entry) => parseCurrencyEntry(entry.trim(), Number(exponent))),
  )
  .sort((a, b) => (a.code < b.code ? -1 : 1));

const byCode: ReadonlyMap<string, Currency> = new Map(
  currencies.map((currency) => [currency.code, currency]),
);

/** Finds an active ISO 4217 currency by its three upper-case letters; funds, metals and test codes are none. */
export function findCurrency(code: string): Currency | undefined {
  return byCode.get(code);
}

function parseCurrencyEntry(entry: string, exponent: number): Currency {
  const [code = '', numeric = ''] = entry.split(' ');
  return Object.freeze({ code, numeric, exponent });
}
