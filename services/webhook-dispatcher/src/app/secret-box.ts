import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

/** Keeps endpoint secrets unreadable at rest; `identity` is the row they belong to, and they open nowhere else. */
export type SecretBox = {
  seal(secret: string, identity: string): Sealed;
  /** Throws when the key is not configured, or the bytes or the identity were altered. */
  open(sealed: Sealed, identity: string): string;
};

/** AES-256-GCM: the first key seals, all of them open. Keys are 32 bytes in base64, known by their fingerprint. */
export function openSecretBox(keys: readonly string[]): SecretBox {
  const byId = new Map(keys.map(named));
  const [current] = byId.keys();
  if (current === undefined) throw new Error('sealing needs a key');
  const keyOf = (id: string): Buffer => {
    const key = byId.get(id);
    if (!key) throw new Error(`sealed with key ${id}, which is not configured`);
    return key;
  };
  return {
    seal(secret, identity) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(current), nonce).setAAD(Buffer.from(identity));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { keyId: current, bytes: Buffer.concat([nonce, sealed, cipher.getAuthTag()]) };
    },
    open({ keyId, bytes }, identity) {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, keyOf(keyId), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(identity)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    },
  };
}

function named(text: string): [string, Buffer] {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('an encryption key must be 32 bytes in base64');
  return [createHash('sha256').update(key).digest('hex').slice(0, 12), key];
}
