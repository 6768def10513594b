/** Currencies for which this gateway uses whole units, although some of them have cents elsewhere. */
const ZERO_DECIMAL = new Set([
  'bif',
  'clp',
  'djf',
  'gnf',
  'jpy',
  'kmf',
  'krw',
  'mga',
  'pyg',
  'rwf',
  'vnd',
  'vuv',
  'xaf',
  'xof',
  'xpf',
]);

/** Sent in hundredths although the smallest charge is a whole unit. */
const WHOLE_IN_HUNDREDTHS = new Set(['isk', 'ugx']);

const THREE_DECIMAL = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

/** Currencies that exist but that this gateway cannot charge. */
const UNSUPPORTED = new Set(['iqd', 'lyd', 'clf', 'uyi', 'uyw', 'kpw', 'irr', 'syp', 'cup', 'xcg']);

/** An amount has at most eight digits. */
const MAX_AMOUNT = 99_999_999;
/** About half a dollar, the cost of a charge; listed where the gateway publishes another figure. */
const MIN_AMOUNT = 50;
// prettier-ignore
const MINIMA: Readonly<Record<string, number>> = {
  aed: 200, bgn: 100, czk: 1500, dkk: 250, gbp: 30, hkd: 400, huf: 17500, jpy: 50, mxn: 1000, myr: 200, nok: 300,
  pln: 200, ron: 200, sek: 300, thb: 1000,
};

export type AmountFault = { readonly code: string; readonly param: string; readonly message: string };

/** Returns what is wrong with an amount in a currency, or undefined. */
export function amountFault(amount: number, currency: string): AmountFault | undefined {
  if (!/^[a-z]{3}$/.test(currency) || UNSUPPORTED.has(currency)) {
    return {
      code: 'currency_not_supported',
      param: 'currency',
      message: `Invalid currency: ${currency.slice(0, 10)}`,
    };
  }
  const step = smallestStep(currency);
  if (amount % step !== 0) {
    return {
      code: 'parameter_invalid_integer',
      param: 'amount',
      message: `Amounts in ${currency} must be a multiple of ${step}`,
    };
  }
  if (amount > MAX_AMOUNT)
    return { code: 'amount_too_large', param: 'amount', message: 'Amount must be no more than 8 digits' };
  const minimum = MINIMA[currency] ?? (ZERO_DECIMAL.has(currency) ? 1 : MIN_AMOUNT);
  if (amount < minimum)
    return {
      code: 'amount_too_small',
      param: 'amount',
      message: `Amount must be at least ${minimum} ${currency}`,
    };
  return undefined;
}

/** Returns the number of decimals that this gateway uses for a currency. */
export function findDecimals(currency: string): number {
  if (ZERO_DECIMAL.has(currency)) return 0;
  return THREE_DECIMAL.has(currency) ? 3 : 2;
}

function smallestStep(currency: string): number {
  if (WHOLE_IN_HUNDREDTHS.has(currency)) return 100;
  return THREE_DECIMAL.has(currency) ? 10 : 1;
}
