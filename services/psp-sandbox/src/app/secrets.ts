import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/**
 * Returns the hash by which a secret is looked up; secrets are random, so a plain digest cannot be reversed by
 * guessing.
 */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Returns a fresh secret with its kind as prefix. */
export const newSecret = (prefix: string): string => prefix + randomBytes(24).toString('hex');

/** Returns a fresh, time-ordered id in the shape `pi_…`. */
export const newId = (prefix: string): string => prefix + uuidv7().replaceAll('-', '');

/** Compares in constant time, so that the duration does not reveal how much was right. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(given).digest(),
    createHash('sha256').update(expected).digest(),
  );
}
