import { base62, formatApiKey, type Mode } from '@gp/contracts';

const RANDOM_LENGTH = 32;

/** Builds a key from a source of random bytes; 32 base62 characters hold 190 bits. */
export function newApiKey(mode: Mode, randomBytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < RANDOM_LENGTH) text += base62(randomBytes(RANDOM_LENGTH));
  return formatApiKey(mode, text.slice(0, RANDOM_LENGTH));
}
