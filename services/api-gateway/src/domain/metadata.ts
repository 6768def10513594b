import type { Fault } from './fault.ts';

/** Serialised size of one metadata object, bytes (Q22). */
const MAX_BYTES = 16 * 1024;

/** What is wrong with a metadata object beyond its shape. */
export function metadataFaults(param: string, metadata: object | undefined): Fault[] {
  if (metadata === undefined) return [];
  // Such a number would silently become null on its way.
  if (!hasFiniteNumbers(metadata)) return [{ param, reason: 'has a number that is too large' }];
  const size = new TextEncoder().encode(JSON.stringify(metadata)).length;
  return size > MAX_BYTES ? [{ param, reason: `must have at most ${MAX_BYTES} bytes as JSON` }] : [];
}

function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasFiniteNumbers);
}
