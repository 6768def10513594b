import { SESSION_TOKEN, type Mode, type SigningKey } from '@gp/contracts';
import { importJWK } from '@gp/bundled/jose';

/** A key set is read again after this long: rotations publish a key five minutes before it signs. */
const FRESH_MS = 60_000;
/** The shortest time between two reads that tokens with invented key names cause. */
const ASK_AGAIN_MS = 5_000;

type PublicKey = { readonly key: Awaited<ReturnType<typeof importJWK>>; readonly mode: Mode };

export type SigningKeySet = {
  /**
   * Returns a published key; undefined for an unknown name. Rejects with the error of the read when no key is
   * known yet.
   */
  find(kid: string): Promise<PublicKey | undefined>;
  /** Call it after a key was published or withdrawn: known keys do not count until the set was read again. */
  clear(): void;
};

/**
 * Caches the published keys of session tokens. An unknown name causes a read at most once in five seconds; a set
 * that is only old is refreshed in the background, and a read that fails leaves it unchanged.
 */
export function signingKeySet(o: {
  ask: () => Promise<{ keys: readonly SigningKey[] }>;
  now?: () => number;
}): SigningKeySet {
  const now = o.now ?? (() => performance.now());
  let known: ReadonlyMap<string, PublicKey> | undefined;
  let askedAt = -Infinity;
  let asking: Promise<void> | undefined;
  let version = 0;

  const ask = async (): Promise<void> => {
    const before = version;
    const { keys } = await o.ask();
    const entries = keys.map(async (key) => [key.kid, await importPublicKey(key)] as const);
    const found = new Map(await Promise.all(entries));
    askedAt = now();
    // A read that began before the change may lack it.
    if (before === version) known = found;
  };
  const refresh = (): Promise<void> => (asking ??= ask().finally(() => (asking = undefined)));

  return {
    async find(kid) {
      for (let tries = 0; !known && tries < 2; tries++) await refresh();
      if (known && !known.has(kid) && now() - askedAt >= ASK_AGAIN_MS) await refresh();
      else if (now() - askedAt >= FRESH_MS) refresh().catch(() => undefined);
      return known?.get(kid);
    },
    clear() {
      version += 1;
      known = undefined;
    },
  };
}

async function importPublicKey({ mode, kty, crv, x }: SigningKey): Promise<PublicKey> {
  return { key: await importJWK({ kty, crv, x }, SESSION_TOKEN.alg), mode };
}
