/**
 * Returns minor units as a plain decimal number: `150.00`, `100`, `3.334`. `digits` are the decimals of the
 * currency by ISO 4217, as the server counts them: `Intl` hides the cents of HUF, COP or IDR, which are charged
 * nevertheless.
 */
export function formatDecimal(minor: bigint, digits: number): `${number}` {
  const sign = minor < 0n ? '-' : '';
  const all = String(minor < 0n ? -minor : minor).padStart(digits + 1, '0');
  const cut = all.length - digits;
  return `${sign}${all.slice(0, cut)}${digits > 0 ? `.${all.slice(cut)}` : ''}` as `${number}`;
}

/**
 * Returns a formatter of one currency for a locale, always with all of the currency's decimals. A line may break between
 * the number and a currency that is written in letters, so that a narrow screen breaks neither of them.
 */
export function moneyFormat(locale: string, currency: string, digits: number): (minor: bigint) => string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal text is formatted exactly; a number would be rounded to a double first.
  return (minor) =>
    format.format(formatDecimal(minor, digits)).replace(/(\p{L})\u00a0|\u00a0(?=\p{L})/u, '$1 ');
}

export const addAmounts = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, amount) => sum + amount, 0n);
