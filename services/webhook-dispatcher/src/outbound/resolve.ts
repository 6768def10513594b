import { lookup, Resolver } from 'node:dns/promises';
import { isReachable, parseLiteral, type AddressPolicy } from './address.ts';

/** The name leads nowhere we may go. */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked';
}
/** The name could not be resolved. */
export class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
}

export type Resolve = (hostname: string) => Promise<readonly string[]>;
/** Queries the name server; returns addresses with the seconds for which they are valid. */
export type Lookup = (hostname: string) => Promise<readonly { address: string; ttl: number }[]>;

/** Short enough that a moved receiver is found soon, long enough to avoid a query for every delivery. */
const LONGEST_TTL_S = 60;
const SHORTEST_TTL_S = 1;
const CACHED_NAMES = 5_000;

/**
 * Resolves names to addresses that may be called. *Every* address must be allowed by the policy, else the name is refused
 * as a whole: a name that also points inside is an attack or a mistake. Repeated at each attempt.
 */
export function guardedResolver(policy: AddressPolicy, ask: Lookup = nameService(policy)): Resolve {
  const cache = new Map<string, { readonly addresses: readonly string[]; readonly untilMs: number }>();
  return async (name) => {
    // A closing dot is part of a name's full form and not of its meaning.
    const hostname = name.replace(/\.$/, '');
    const literal = parseLiteral(hostname);
    if (literal !== undefined) return vetted([literal], policy);
    const known = cache.get(hostname);
    if (known !== undefined && performance.now() < known.untilMs) return known.addresses;
    const answers = await ask(hostname);
    if (answers.length === 0) throw new UnknownHost();
    const addresses = vetted(
      answers.map((answer) => answer.address),
      policy,
    );
    const ttl = Math.min(...answers.map((answer) => answer.ttl), LONGEST_TTL_S);
    cache.delete(hostname);
    if (cache.size >= CACHED_NAMES) cache.delete(cache.keys().next().value ?? '');
    cache.set(hostname, { addresses, untilMs: performance.now() + 1_000 * Math.max(ttl, SHORTEST_TTL_S) });
    return addresses;
  };
}

function vetted(addresses: readonly string[], policy: AddressPolicy): readonly string[] {
  if (!addresses.every((address) => isReachable(address, policy))) throw new AddressBlocked();
  return addresses;
}

/**
 * Queries the DNS servers over the event loop; `dns.lookup` would queue behind four threads, which four slow names keep
 * busy. It knows no search domains, so a bare name cannot mean something inside a cluster. Names of the machine itself
 * (localhost, the hosts file) are looked up only where loopback is allowed.
 */
function nameService(policy: AddressPolicy): Lookup {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  return async (hostname) => {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return ownNames(hostname, policy);
    const [v4, v6] = await Promise.allSettled([
      resolver.resolve4(hostname, { ttl: true }),
      resolver.resolve6(hostname, { ttl: true }),
    ]);
    const found = [...takeValue(v4), ...takeValue(v6)];
    if (found.length > 0) return found;
    return ownNames(hostname, policy);
  };
}

async function ownNames(hostname: string, policy: AddressPolicy): ReturnType<Lookup> {
  if (!policy.allowLoopback) {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) throw new AddressBlocked();
    throw new UnknownHost();
  }
  const found = await lookup(hostname, { all: true, order: 'ipv4first' }).catch((cause: unknown) => {
    throw new UnknownHost('', { cause });
  });
  return found.map(({ address }) => ({ address, ttl: SHORTEST_TTL_S }));
}

const takeValue = <T>(settled: PromiseSettledResult<T[]>): T[] =>
  settled.status === 'fulfilled' ? settled.value : [];
