import { sealUnder, type KeyProvider, type KeyRing, type Seal } from './seal.ts';

/** The settings of a service that seals: 32 bytes in base64 each, the previous ones separated by commas. */
export type SealKeys = {
  readonly encryptionKey: string;
  readonly previousEncryptionKeys?: string | undefined;
};

/** The provider that takes the keys from the service's settings. */
export function keysFromSettings(keys: SealKeys): KeyProvider {
  return { loadKeys: () => Promise.resolve(parseKeys(keys)) };
}

/** Opens the seal of a service. The one place that chooses a provider: one for a KMS is chosen here. */
export async function openSeal(settings: SealKeys): Promise<Seal> {
  return sealUnder(await keysFromSettings(settings).loadKeys());
}

/** Seals with keys that are at hand. */
export function sealWith(keys: SealKeys): Seal {
  return sealUnder(parseKeys(keys));
}

function parseKeys({ encryptionKey, previousEncryptionKeys }: SealKeys): KeyRing {
  return { newest: parse(encryptionKey), previous: previousEncryptionKeys?.split(',').map(parse) ?? [] };
}

const parse = (text: string): Buffer => Buffer.from(text, 'base64');
