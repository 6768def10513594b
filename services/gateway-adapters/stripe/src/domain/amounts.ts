import type { AmountRule } from '@gp/gateway';
import type { Currency } from '@gp/money';

/** Charged in whole units here, whatever ISO 4217 defines (MGA has cents there). */
const ZERO_DECIMAL = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
/** These have no cents, but are sent in hundredths for historical reasons. */
const WHOLE_IN_HUNDREDTHS = new Set(['ISK', 'UGX']);
/** Sent in thousandths whose last digit must be 0. */
const THREE_DECIMAL = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);
/** Not in the gateway's list: ISO's other three-decimal currencies, and those under sanctions. */
const UNSUPPORTED = new Set(['IQD', 'LYD', 'CUP', 'IRR', 'KPW', 'SYP']);

/** The gateway accepts eight digits. */
const MAX_ON_THE_WIRE = 99_999_999n;

/** The published minimum charges, in the gateway's units; about half a dollar. Others are left to the gateway. */
// prettier-ignore
const MINIMA: Readonly<Record<string, bigint>> = {
  USD: 50n, AED: 200n, AUD: 50n, BRL: 50n, CAD: 50n, CHF: 50n, CZK: 1500n, DKK: 250n, EUR: 50n, GBP: 30n, HKD: 400n,
  HUF: 17500n, INR: 50n, JPY: 50n, MXN: 1000n, MYR: 200n, NOK: 300n, NZD: 50n, PLN: 200n, RON: 200n, SEK: 300n,
  SGD: 50n, THB: 1000n,
};

/** Returns how gateway_a takes amounts of a currency; undefined when it does not. */
export function amountRule(currency: Currency): AmountRule | undefined {
  const { code } = currency;
  if (UNSUPPORTED.has(code)) return undefined;
  const exponent = findExponent(code);
  const toOurs = (wire: bigint): bigint =>
    exponent >= currency.exponent
      ? wire / 10n ** BigInt(exponent - currency.exponent)
      : wire * 10n ** BigInt(currency.exponent - exponent);
  return {
    exponent,
    unit: computeUnit(currency, exponent),
    minimum: toOurs(MINIMA[code] ?? 0n) || 1n,
    maximum: toOurs(MAX_ON_THE_WIRE),
  };
}

function findExponent(code: string): number {
  if (ZERO_DECIMAL.has(code)) return 0;
  return THREE_DECIMAL.has(code) ? 3 : 2;
}

function computeUnit({ code, exponent: ours }: Currency, theirs: number): bigint {
  if (THREE_DECIMAL.has(code)) return 10n;
  if (WHOLE_IN_HUNDREDTHS.has(code)) return 1n;
  return ours > theirs ? 10n ** BigInt(ours - theirs) : 1n;
}
