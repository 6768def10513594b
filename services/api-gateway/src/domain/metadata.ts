import type { Fault } from './fault.ts';

/** Serialised size of one metadata object, bytes (Q22). */
const MAX_BYTES = 16 * 1024;

/** Returns the faults of a metadata object that its schema does not find. */
export function metadataFaults(param: string, metadata: object | undefined): Fault[] {
  if (metadata === undefined) return [];
  const numbers = listNumbers(metadata);
  // Such a number would silently become null in JSON.
  if (!numbers.every(Number.isFinite)) return [{ param, reason: 'has a number that is too large' }];
  const asSent = new TextEncoder().encode(JSON.stringify(metadata)).length;
  const growth = numbers.reduce((sum, number) => sum + plainLength(number) - String(number).length, 0);
  if (asSent + growth <= MAX_BYTES) return [];
  return [{ param, reason: `must have at most ${MAX_BYTES} bytes as JSON, numbers without exponent` }];
}

/**
 * Returns the characters of a finite number written without an exponent: Postgres stores and prints it so, 309
 * digits of 1e308. JavaScript writes exponents from 1e21 up, where no decimals are left, and from 1e-7 down.
 */
export function plainLength(number: number): number {
  const [mantissa = '', exponent] = String(number).split('e');
  if (exponent === undefined) return mantissa.length;
  const sign = number < 0 ? 1 : 0;
  const digits = mantissa.replace(/\D/g, '').length;
  const shift = Number(exponent);
  return sign + (shift > 0 ? shift + 1 : '0.'.length - shift - 1 + digits);
}

function listNumbers(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listNumbers);
}
