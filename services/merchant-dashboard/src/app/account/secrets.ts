import { createHash, randomBytes } from 'node:crypto';

/** 256 bits: nobody guesses one. */
const SECRET_BYTES = 32;

/** A secret for a cookie or a link, and what is stored of it. */
export function newSecret(): { secret: string; hash: Buffer } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** Under what a secret is stored. It has 256 bits of chance, so that one round is enough. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
