import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** 48 bits distinguish the few keys of one service; the name protects nothing. */
const KEY_ID_DIGITS = 12;

/** The keys of one service, 32 bytes each: the newest seals, all open. */
export type KeyRing = { readonly newest: Buffer; readonly previous: readonly Buffer[] };

/**
 * Gives a service its keys once, when it starts. A provider for a KMS unwraps the service's keys here, so that no call
 * to the KMS stands between a row and its reader.
 */
export type KeyProvider = { loadKeys(): Promise<KeyRing> };

/** The stored form: the bytes, and the key that opens them. */
export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

/**
 * Keeps texts unreadable at rest. `identity` names the row a text belongs to: in another row it cannot be
 * opened.
 */
export type Seal = {
  /** The names of the keys: fingerprints, so that nobody has to number them. */
  readonly keyIds: { readonly newest: string; readonly previous: readonly string[] };
  seal(text: string, identity: string): Sealed;
  /** Throws when the key is not configured, or the bytes or the identity are not those of the sealing. */
  open(sealed: Sealed, identity: string): string;
};

/**
 * Seals with AES-256-GCM under the newest key and a random nonce; the previous keys only open what is sealed under
 * them. Throws for a key of another length.
 */
export function sealUnder(ring: KeyRing): Seal {
  const newest = nameKey(ring.newest);
  const previous = ring.previous.map(nameKey).filter(({ id }) => id !== newest.id);
  const byId = new Map([newest, ...previous].map(({ id, key }) => [id, key]));
  return {
    keyIds: { newest: newest.id, previous: previous.map(({ id }) => id) },
    seal(text, identity) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, newest.key, nonce).setAAD(Buffer.from(identity));
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { keyId: newest.id, bytes };
    },
    open({ keyId, bytes }, identity) {
      const key = byId.get(keyId);
      if (key === undefined) throw new Error(`sealed with key ${keyId}, which is not configured`);
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('too short to have been sealed');
      const nonce = bytes.subarray(0, NONCE_BYTES);
      // Repeats what the check above ensures: a shorter tag would be easier to guess.
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(identity)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/** Names a key and imports it. Bytes would be imported with every use, which takes four times as long as opening a text. */
function nameKey(bytes: Buffer): { id: string; key: KeyObject } {
  if (bytes.length !== KEY_BYTES) throw new Error(`an encryption key must be ${KEY_BYTES} bytes in base64`);
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_DIGITS);
  return { id, key: createSecretKey(bytes) };
}
