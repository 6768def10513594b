import { wrongUsage } from './failure.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Reads a time span such as `90`, `15m`, `1h30m` or `7d`; returns whole seconds. */
export function parseSeconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const parts = [...text.matchAll(/(\d{1,9})([smhd])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw wrongUsage(`${text} is no time span; write for example 90, 15m, 1h30m or 7d`);
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}

/** Reads a whole number within bounds. */
export const parseCount =
  (what: string, least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
    throw wrongUsage(`${what} must be a whole number from ${least} to ${most}, not ${text}`);
  };

/** Reads an amount in currency units; the API judges how many decimals its currency has. */
export function parseAmount(text: string): number {
  if (/^\d{1,12}(\.\d{1,4})?$/.test(text)) return Number(text);
  throw wrongUsage(`${text} is no amount; write for example 90 or 31.50`);
}

/** Adds one `name=value` to those before it. */
export function collectPair(text: string, before?: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw wrongUsage(`${text} is no name=value`);
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Adds one text to those before it. */
export const collectText = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

/** Splits a list at its commas; an empty text is an empty list. */
export function parseList(text: string): readonly string[] {
  if (text === '') return [];
  const parts = text.split(',').map((part) => part.trim());
  if (parts.includes('')) throw wrongUsage(`${text} has an empty part between its commas`);
  return parts;
}

/** Aligns the columns of rows that people read. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Writes an amount with its currency. */
export function formatAmount(amount: number, currency: string): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  return `${amount.toFixed(digits)} ${currency}`;
}
