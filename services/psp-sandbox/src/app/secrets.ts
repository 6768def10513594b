import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** What a secret is looked up by; secrets are random, so a plain digest cannot be guessed back. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A fresh secret with its kind as prefix. */
export const newSecret = (prefix: string): string => prefix + randomBytes(24).toString('hex');

/** A fresh, time-ordered id in the shape `pi_…`. */
export const newId = (prefix: string): string => prefix + uuidv7().replaceAll('-', '');

/** Compares without telling by its duration how much was right. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(given).digest(),
    createHash('sha256').update(expected).digest(),
  );
}
