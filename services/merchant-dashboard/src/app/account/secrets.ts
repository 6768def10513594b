import { createHash, randomBytes } from 'node:crypto';

/** 256 bits cannot be guessed. */
const SECRET_BYTES = 32;

/** Returns a secret for a cookie or a link, and the hash under which it is stored. */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

/** Returns the hash under which a secret is stored. A secret has 256 random bits, so one round is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
