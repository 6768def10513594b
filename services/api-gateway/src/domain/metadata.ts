import type { Fault } from './fault.ts';

/** Serialised size of one metadata object, bytes (Q22). */
const MAX_BYTES = 16 * 1024;
/** Names come from the caller and are repeated no longer than this. */
const LONGEST_PARAM = 128;

/** Returns the faults of a metadata object that its schema does not find. */
export function metadataFaults(param: string, metadata: object | undefined): Fault[] {
  if (metadata === undefined) return [];
  const numbers = listNumbers(param, metadata);
  const altered = numbers.find(({ value }) => Math.abs(value) > Number.MAX_SAFE_INTEGER);
  if (altered) {
    const reason = `must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: send a larger number as text`;
    return [{ param: altered.param.slice(0, LONGEST_PARAM).toWellFormed(), reason }];
  }
  const asSent = new TextEncoder().encode(JSON.stringify(metadata)).length;
  const growth = numbers.reduce((sum, { value }) => sum + plainLength(value) - String(value).length, 0);
  if (asSent + growth <= MAX_BYTES) return [];
  return [{ param, reason: `must have at most ${MAX_BYTES} bytes as JSON, with all digits of its numbers` }];
}

/**
 * Returns the characters of a number written without an exponent: Postgres stores and prints it so, 303 of -1e-300. Of the
 * numbers that metadata may have, JavaScript writes those from 1e-7 down with an exponent.
 */
export function plainLength(number: number): number {
  const [mantissa = '', exponent] = String(number).split('e-');
  if (exponent === undefined) return mantissa.length;
  const sign = number < 0 ? 1 : 0;
  return sign + '0.'.length + Number(exponent) - 1 + mantissa.replace(/\D/g, '').length;
}

type FoundNumber = { readonly param: string; readonly value: number };

/** A number that is an item of a list is found under the list's name and its place. */
function listNumbers(param: string, value: unknown): FoundNumber[] {
  if (typeof value === 'number') return [{ param, value }];
  if (Array.isArray(value)) return value.flatMap((item, at) => listNumbers(`${param}[${at}]`, item));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => listNumbers(`${param}.${name}`, item));
}
