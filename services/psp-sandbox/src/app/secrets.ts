import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** Keeps secrets unreadable at rest. */
export type Seal = { seal(text: string): Buffer; open(sealed: Buffer): string };

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key derived from the service's own; opening what another key sealed throws. */
export function sealWith(serviceKey: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', serviceKey, '', 'psp-sandbox accounts', 32));
  return {
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return (
        decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}

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
