import { sealUnder, type KeyProvider, type KeyRing, type Seal } from './seal.ts';
import { unwrapKeys, WRAPPED, type Transit } from './transit.ts';

/**
 * The settings of a service that seals. A key is 32 bytes in base64, or such a key as a KMS has wrapped it; the previous ones
 * are separated by commas.
 */
export type SealKeys = {
  readonly encryptionKey: string;
  readonly previousEncryptionKeys?: string | undefined;
};

/** The settings of a service's KMS; without an address there is none. */
export type KmsSettings = {
  readonly kmsUrl?: string | undefined;
  readonly kmsMount?: string | undefined;
  readonly kmsKey?: string | undefined;
  readonly kmsCaFile?: string | undefined;
  readonly kmsToken?: string | undefined;
  readonly kmsRole?: string | undefined;
  readonly kmsLoginPath?: string | undefined;
  readonly kmsJwtFile?: string | undefined;
};

const MOUNT = 'transit';
const LOGIN_PATH = 'auth/kubernetes/login';
/** Hosts of this machine, where an agent may listen without TLS. */
const OWN_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** The provider that takes the keys from the service's settings. */
export function keysFromSettings(keys: SealKeys): KeyProvider {
  return { loadKeys: () => Promise.resolve(parseKeys(keys)) };
}

/** The provider that has the wrapped keys among the settings unwrapped by a transit engine, and takes the others as they are. */
export function keysFromTransit(keys: SealKeys, transit: Transit, patienceMs?: number): KeyProvider {
  return {
    async loadKeys() {
      const all = listKeys(keys);
      const unwrapped = await unwrapKeys(transit, all.filter(isWrapped), patienceMs);
      const [newest, ...previous] = all.map(
        (key) => (isWrapped(key) ? unwrapped.shift() : undefined) ?? parse(key),
      );
      if (newest === undefined) throw new Error('there is no encryption key');
      return { newest, previous };
    },
  };
}

/** Opens the seal of a service. The one place that chooses a provider. */
export async function openSeal(settings: SealKeys & KmsSettings): Promise<Seal> {
  const transit = findTransit(settings);
  const provider = transit ? keysFromTransit(settings, transit) : keysFromSettings(settings);
  return sealUnder(await provider.loadKeys());
}

/** Returns a sentence for every fault in how the settings of keys and KMS fit together; repeats none of their values. */
export function listKeyFaults(settings: Partial<SealKeys> & KmsSettings): readonly string[] {
  const { encryptionKey, previousEncryptionKeys, kmsUrl, kmsKey, kmsToken, kmsRole, kmsJwtFile } = settings;
  if (encryptionKey === undefined) return [];
  const faults: string[] = [];
  if (kmsUrl === undefined) {
    const needsKms = listKeys({ encryptionKey, previousEncryptionKeys }).some(isWrapped);
    return needsKms ? ['KMS_URL is required to unwrap encryption keys'] : [];
  }
  if (!isSafe(kmsUrl)) faults.push('KMS_URL must be an https: address, but for an agent on this machine');
  if (kmsKey === undefined) faults.push('KMS_KEY is required with KMS_URL');
  if (kmsRole !== undefined && kmsToken !== undefined)
    faults.push('KMS_ROLE and KMS_TOKEN exclude each other');
  if (kmsRole !== undefined && kmsJwtFile === undefined)
    faults.push('KMS_JWT_FILE is required with KMS_ROLE');
  return faults;
}

/** Seals with keys that are at hand. */
export function sealWith(keys: SealKeys): Seal {
  return sealUnder(parseKeys(keys));
}

function findTransit(o: KmsSettings): Transit | undefined {
  const { kmsUrl: url, kmsKey: key, kmsMount: mount = MOUNT, kmsCaFile: caFile, kmsToken: token } = o;
  if (url === undefined || key === undefined) return undefined;
  const { kmsRole: role, kmsLoginPath: path = LOGIN_PATH, kmsJwtFile: jwtFile } = o;
  const login = role === undefined || jwtFile === undefined ? undefined : { role, path, jwtFile };
  return { url, mount, key, caFile, token, login };
}

function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || OWN_HOSTS.has(hostname);
}

const listKeys = ({ encryptionKey, previousEncryptionKeys }: SealKeys): string[] => [
  encryptionKey,
  ...(previousEncryptionKeys?.split(',') ?? []),
];

function parseKeys(keys: SealKeys): KeyRing {
  const [newest, ...previous] = listKeys(keys).map(parse);
  return { newest: newest ?? Buffer.alloc(0), previous };
}

const parse = (text: string): Buffer => Buffer.from(text, 'base64');
const isWrapped = (key: string): boolean => WRAPPED.test(key);
