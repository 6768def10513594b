import type { Money } from '../../../src/http/api.ts';

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount for a locale, with the digits the amount was given with. By default Intl hides the decimals of
 * some currencies, and it formats a text exactly where it would round a number.
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

/** Returns an amount as a share of `whole`, 0 to 1. */
export function computeShare(part: Money, whole: Money): number {
  const all = BigInt(whole.minor);
  if (all <= 0n) return 0;
  return Number((BigInt(part.minor) * 10_000n) / all) / 10_000;
}
