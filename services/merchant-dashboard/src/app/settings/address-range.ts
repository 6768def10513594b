import { isIPv4, isIPv6 } from 'node:net';

const PREFIX = /^(0|[1-9]\d{0,2})$/;

/** Returns a network in CIDR form, an address alone as a network of one; undefined for any other text. */
export function parseAddressRange(text: string): string | undefined {
  const [address = '', prefix, ...more] = text.trim().split('/');
  const bits = isIPv4(address) ? 32 : isIPv6(address) && !address.includes('%') ? 128 : undefined;
  if (bits === undefined || more.length > 0) return undefined;
  if (prefix === undefined) return `${address.toLowerCase()}/${bits}`;
  if (!PREFIX.test(prefix) || Number(prefix) > bits) return undefined;
  return `${address.toLowerCase()}/${prefix}`;
}
