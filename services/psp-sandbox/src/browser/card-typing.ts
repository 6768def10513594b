import { findBrand, hasCheckDigit } from '../domain/card-number.ts';
import type { CardErrorCode } from './card-words.ts';

/** A card as a payer typed it; it stays in this frame. */
export type Card = {
  readonly number: string;
  readonly month: number;
  readonly year: number;
  readonly cvc: string;
};

export type FieldName = 'number' | 'expiry' | 'cvc';
export type FieldFault = { readonly field: FieldName; readonly code: CardErrorCode };

/** Returns digits in groups as they are printed on the card: 4-6-5 for American Express, fours otherwise. */
export function groupedNumber(text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 19);
  const groups = findBrand(digits) === 'amex' ? [4, 6, 5] : [4, 4, 4, 4, 3];
  let at = 0;
  return groups
    .map((length) => digits.slice(at, (at += length)))
    .filter((group) => group !== '')
    .join(' ');
}

/** Returns `MM / YY` from what was typed, pasted or filled in; while deleting, nothing is added. */
export function shapedExpiry(text: string, isDeleting: boolean): string {
  const iso = /^\s*20(\d\d)-(\d\d)\s*$/.exec(text);
  if (iso) return `${iso[2]} / ${iso[1]}`;
  const digits = expiryDigits(text);
  if (digits.length > 2) return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
  return digits.length === 2 && !isDeleting ? `${digits} / ` : digits;
}

/**
 * Returns at most four digits: a month that can only be complete gets its zero, a year of four digits loses its
 * century.
 */
function expiryDigits(text: string): string {
  const typed = text.replace(/\D/g, '');
  const isWholeMonth = /^[2-9]/.test(typed) || /^\s*1\s*\//.test(text);
  const digits = isWholeMonth ? `0${typed}` : typed;
  return (/^\d\d20\d\d$/.test(digits) ? digits.slice(0, 2) + digits.slice(4) : digits).slice(0, 4);
}

/** The lowest number of digits of each scheme's card numbers. */
const LENGTHS = { amex: 15, visa: 16, mastercard: 16, discover: 16, unknown: 13 } as const;

/** Returns the error of a number, or null. */
export function numberFault(text: string): CardErrorCode | null {
  const digits = text.replace(/\D/g, '');
  if (digits.length < LENGTHS[findBrand(digits)]) return 'incomplete_number';
  return hasCheckDigit(digits) ? null : 'invalid_number';
}

export function expiryFault(text: string, now: Date): CardErrorCode | null {
  const { month, year } = parseExpiry(text);
  if (!(month >= 1 && month <= 12) || Number.isNaN(year)) return 'incomplete_expiry';
  const isPast = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  return isPast ? 'invalid_expiry_month_past' : null;
}

export function cvcFault(text: string, number: string): CardErrorCode | null {
  const length = findBrand(number) === 'amex' ? 4 : 3;
  return text.length < length ? 'incomplete_cvc' : null;
}

/** Returns month and year of `MM / YY`; NaN for a missing one. */
export function parseExpiry(text: string): { readonly month: number; readonly year: number } {
  const [, month, year] = /^(\d\d) \/ (\d\d)$/.exec(text) ?? [];
  return { month: Number(month ?? NaN), year: year === undefined ? NaN : 2000 + Number(year) };
}
