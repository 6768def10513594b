import { BlockList, isIPv6 } from 'node:net';
import type { ApiKeyRecord, KeyScope } from '@gp/contracts';
import { AppError } from '@gp/errors';

/** Built once for each cached record. */
const networks = new WeakMap<ApiKeyRecord, BlockList>();

/** Returns whether a key's time is over, by this machine's clock: the dashboard's message about it may be late. */
export function isExpired({ expires_at }: ApiKeyRecord, nowMs = Date.now()): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= nowMs;
}

/** Throws `insufficient_scope` when a key may not be used from an address or not for an operation. */
export function assertKeyAllows(
  key: ApiKeyRecord,
  { address, scope }: { readonly address: string; readonly scope: KeyScope },
): void {
  if (!isFromAllowedNetwork(key, address))
    throw new AppError('insufficient_scope', { message: 'this key may not be used from this address' });
  if (key.scopes && !key.scopes.includes(scope))
    throw new AppError('insufficient_scope', { message: `this key does not have the scope ${scope}` });
}

function isFromAllowedNetwork(key: ApiKeyRecord, address: string): boolean {
  if (!key.allowed_addresses || key.allowed_addresses.length === 0) return true;
  const allowed = networks.get(key) ?? buildNetworks(key.allowed_addresses);
  networks.set(key, allowed);
  return allowed.check(address, findFamily(address));
}

function buildNetworks(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), findFamily(network));
  }
  return list;
}

const findFamily = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
