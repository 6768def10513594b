import type { Money } from '../../../src/http/api.ts';

const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount in the words of a locale. The digits are those the amount was given with: left to itself Intl hides the cents
 * of currencies whose cash has none, and a text is formatted exactly where a number would be rounded.
 */
export function formatMoney({ text, currency }: Pick<Money, 'text' | 'currency'>, locale?: string): string {
  const digits = text.split('.')[1]?.length ?? 0;
  const name = `${locale ?? ''} ${currency} ${digits}`;
  let format = formats.get(name);
  if (!format) {
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction });
    formats.set(name, format);
  }
  return format.format(text as Intl.StringNumericLiteral);
}

/** What share of `whole` an amount is, 0 to 1. */
export function shareOf(part: Money, whole: Money): number {
  const all = BigInt(whole.minor);
  if (all <= 0n) return 0;
  return Number((BigInt(part.minor) * 10_000n) / all) / 10_000;
}
