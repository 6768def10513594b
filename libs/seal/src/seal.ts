import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** 48 bits distinguish the few keys of one service; the name protects nothing. */
const KEY_ID_DIGITS = 12;

/** 32 bytes in base64 each; the previous ones separated by commas. */
export type SealKeys = {
  readonly encryptionKey: string;
  readonly previousEncryptionKeys?: string | undefined;
};

/** The stored form: the bytes, and the key that opens them. */
export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

/**
 * Keeps texts unreadable at rest. `identity` names the row a text belongs to: in another row it cannot be
 * opened.
 */
export type Seal = {
  seal(text: string, identity: string): Sealed;
  /** Throws when the key is not configured, or the bytes or the identity are not those of the sealing. */
  open(sealed: Sealed, identity: string): string;
};

/**
 * Seals with AES-256-GCM under the current key and a random nonce; the previous keys only open what was sealed
 * before a rotation. Keys are identified by their fingerprints, so that nobody has to number them. Throws for a
 * key of another length.
 */
export function sealWith({ encryptionKey, previousEncryptionKeys }: SealKeys): Seal {
  const current = parseKey(encryptionKey);
  const previous = previousEncryptionKeys?.split(',').map(parseKey) ?? [];
  const byId = new Map([current, ...previous].map(({ id, bytes }) => [id, bytes]));
  return {
    seal(text, identity) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.bytes, nonce).setAAD(Buffer.from(identity));
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { keyId: current.id, bytes };
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

function parseKey(text: string): { id: string; bytes: Buffer } {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`an encryption key must be ${KEY_BYTES} bytes in base64`);
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, KEY_ID_DIGITS), bytes };
}
