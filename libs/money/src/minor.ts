import type { Currency } from './currency.ts';

/** The largest amount, in minor units: every smaller one is exact for a reader that has only doubles. */
export const maxMinor = BigInt(Number.MAX_SAFE_INTEGER);

/** The most of one payment, in minor units of any currency: gateways take at most eight digits (G6). */
export const maxPaymentMinor = 99_999_999n;

export type ParsedMinor =
  { readonly ok: true; readonly minor: bigint } | { readonly ok: false; readonly reason: string };

// No amount needs more characters; longer texts would only cost parsing time.
const maxSourceLength = 64;
const maxMinorDigits = String(maxMinor).length;
const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads currency units from the source text of a JSON number, exactly and without doubles, into minor units.
 *
 * The value counts, not the spelling: `1e2`, `100` and `100.000` are the same amount of JPY. Zero has no sign.
 * Refused with a reason fit for a validation message: another grammar, decimals the currency does not have, and
 * amounts beyond ±(2^53 - 1) minor units.
 */
export function parseMinor(sourceText: string, currency: Currency): ParsedMinor {
  const match = sourceText.length <= maxSourceLength ? jsonNumber.exec(sourceText) : null;
  if (!match) return refused('must be a plain number');
  const [, sign, whole = '', fraction = '', power = '0'] = match;

  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return { ok: true, minor: 0n };
  const significant = digits.replace(/0+$/, '');

  // The amount is `significant` × 10^shift minor units. A huge power loses precision here, but never its sign.
  const shift = Number(power) + (digits.length - significant.length) - fraction.length + currency.exponent;
  if (shift < 0) return refused(`at most ${currency.exponent} decimals for ${currency.code}`);
  if (significant.length + shift > maxMinorDigits) return tooLarge(currency);
  const minor = BigInt(significant) * 10n ** BigInt(shift);
  if (minor > maxMinor) return tooLarge(currency);
  return { ok: true, minor: sign === '-' ? -minor : minor };
}

/** Writes minor units as currency units with all decimals of the currency: `150.00`, `100`, `3.334`. */
export function formatMinor(minor: bigint, { exponent }: Currency): string {
  const sign = minor < 0n ? '-' : '';
  const digits = String(minor < 0n ? -minor : minor).padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

function tooLarge(currency: Currency): ParsedMinor {
  return refused(`must be at most ${formatMinor(maxMinor, currency)} ${currency.code}`);
}

function refused(reason: string): ParsedMinor {
  return { ok: false, reason };
}
