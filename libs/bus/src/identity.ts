import { nkeyAuthenticator, nkeys, type Authenticator } from '@gp/bundled/nats';

/** The key pair of an identity: the seed belongs to the process, the public key to the server's configuration. */
export type Identity = { readonly seed: string; readonly publicKey: string };

/** Returns a new identity. */
export function createIdentity(): Identity {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}

/** Returns whether this is the seed of a user, by its form and checksum; derives no key from it. */
export function isUserSeed(seed: string): boolean {
  try {
    nkeys.fromSeed(new TextEncoder().encode(seed));
    return seed.startsWith('SU');
  } catch {
    return false;
  }
}

/** Returns the public key of a seed; throws when it is no seed of a user. */
export function readPublicKey(seed: string): string {
  const publicKey = nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey();
  if (!publicKey.startsWith('U')) throw new Error('the seed is not that of a user');
  return publicKey;
}

/** Proves the identity to a server: it signs what the server asks, and the seed never leaves the process. */
export function authenticate(seed: string): Authenticator {
  return nkeyAuthenticator(new TextEncoder().encode(seed));
}
