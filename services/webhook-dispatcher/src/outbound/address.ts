import { BlockList } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressPolicy = { readonly allowLoopback: boolean };

/** Unicast by its number, yet inside our own walls: the address clouds answer their guests from. */
const INSIDE = new Set(['168.63.129.16']);
/** The only part of IPv6 that is handed out to the public; `::127.0.0.1` and other relics lie elsewhere. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a request may go to this address: public unicast, or loopback where that is allowed. Forms that embed
 * another address (mapped, 6to4, NAT64, Teredo) are refused whatever they embed.
 */
export function isReachable(address: string, policy: AddressPolicy): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.allowLoopback;
  if (range !== 'unicast' || INSIDE.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST_V6);
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}

/** The IP address a URL's host is written as; undefined when it is a name. */
export function parseLiteral(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

const FORBIDDEN_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['168.63.129.16', 32],
] as const;
// All that is not 2000::/3, except ::ffff:0:0/96: to Node that is IPv4, which the list above covers.
const FORBIDDEN_V6 = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 32],
  ['100::', 8],
  ['200::', 7],
  ['400::', 6],
  ['800::', 5],
  ['1000::', 4],
  ['2001::', 32],
  ['2002::', 16],
  ['4000::', 2],
  ['8000::', 1],
] as const;

/**
 * The same rule a second time, by other code: Node's own block list, which the socket checks at `connect`. Loopback is
 * left out where it is allowed.
 */
export function blockList(policy: AddressPolicy): BlockList {
  const list = new BlockList();
  for (const [net, bits] of FORBIDDEN_V4) {
    if (!(policy.allowLoopback && net === '127.0.0.0')) list.addSubnet(net, bits, 'ipv4');
  }
  for (const [net, bits] of FORBIDDEN_V6) {
    // It would take ::1 with it; the rest of it is refused by the first rule.
    if (!(policy.allowLoopback && net === '::')) list.addSubnet(net, bits, 'ipv6');
  }
  return list;
}
