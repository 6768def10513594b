import { randomBytes } from 'node:crypto';

/** Crockford's base 32: no letter that can be read as another one over the phone. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes the names of a group that must be unique. */
export type NewNames = (nowMs: number) => { merchant_order_id: string; page_token: string };

export const newNames: NewNames = (nowMs) => ({
  merchant_order_id: newOrderId(nowMs),
  page_token: newLinkToken(nowMs),
});

/**
 * A merchant's order id: `GP-` + 9 characters of time + 8 of chance (40 bits a millisecond). Time first keeps the
 * unique index append-mostly, which measured an order of magnitude less write-ahead log than random keys.
 */
function newOrderId(nowMs: number): string {
  return `GP-${base32(BigInt(nowMs), 9)}${base32(random(5), 8)}`;
}

/** The token of a link to a page: time first for the index, then 130 random bits, too many to guess (Q25). */
export function newLinkToken(nowMs: number): string {
  return `${base32(BigInt(nowMs), 9)}${base32(random(17) >> 6n, 26)}`.toLowerCase();
}

function random(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`);
}

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text;
  return text;
}
