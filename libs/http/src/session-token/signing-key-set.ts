import { SESSION_TOKEN, type Mode, type SigningKey } from '@gp/contracts';
import { importJWK } from 'jose';

/** A key set is asked for again after this long: rotations publish a key five minutes before it signs. */
const FRESH_MS = 60_000;
/** Tokens with invented key names make us ask no more often than this. */
const ASK_AGAIN_MS = 5_000;

type PublicKey = { readonly key: Awaited<ReturnType<typeof importJWK>>; readonly mode: Mode };

export type SigningKeySet = {
  /** A published key; undefined for a name that stands for none. Rejects as asking does when nothing is known yet. */
  find(kid: string): Promise<PublicKey | undefined>;
  /** Something was published or withdrawn: nothing is believed until it was asked for again. */
  forget(): void;
};

/**
 * Remembers the published keys of session tokens. A name that is not among them is asked for once in five seconds; a
 * set that is only getting old is refreshed behind the caller's back, and an asking that fails leaves it as it was.
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
    const entries = keys.map(async (key) => [key.kid, await publicKeyOf(key)] as const);
    const found = new Map(await Promise.all(entries));
    askedAt = now();
    // What was asked before the news may not know of them.
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
    forget() {
      version += 1;
      known = undefined;
    },
  };
}

async function publicKeyOf({ mode, kty, crv, x }: SigningKey): Promise<PublicKey> {
  return { key: await importJWK({ kty, crv, x }, SESSION_TOKEN.alg), mode };
}
