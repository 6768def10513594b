import { crc32 } from 'node:zlib';
import type { Mode } from '../common.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^sk_(test|live)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/**
 * Returns the published form of a secret key: `sk_<mode>_` + 32 random base62 characters + 6 of checksum, so that
 * scanners find leaked ones and junk is refused without a look-up. `randomText` is those 32 characters.
 */
export function formatApiKey(mode: Mode, randomText: string): string {
  const body = `sk_${mode}_${randomText}`;
  return body + checksum(body);
}

/** Returns the mode of a well-formed key, undefined for anything else. The key need not exist. */
export function parseApiKeyMode(text: string): Mode | undefined {
  const match = KEY.exec(text);
  if (!match || checksum(text.slice(0, -6)) !== match[3]) return undefined;
  return match[1] as Mode;
}

/** Maps random bytes onto base62 without bias: bytes above the last full multiple of 62 are skipped. */
export function base62(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) if (byte < 248) text += BASE62.charAt(byte % 62);
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < 6; place++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
