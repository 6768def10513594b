import { createHmac, createSecretKey } from 'node:crypto';

/**
 * Returns the digests a key may be stored under: its HMAC under the current pepper, then under those from before a
 * rotation. Digests under different peppers do not collide, so a look-up need not know which pepper a key was
 * stored under.
 */
export function createKeyDigester(peppers: readonly string[]): (key: string) => readonly string[] {
  const secrets = peppers.map((pepper) => createSecretKey(pepper, 'base64'));
  return (key) => secrets.map((secret) => createHmac('sha256', secret).update(key).digest('hex'));
}
