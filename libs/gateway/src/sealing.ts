import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Sealed = { readonly keyId: string; readonly bytes: Buffer };

/** Seals texts at rest. `identity` says where the text belongs: opening it anywhere else fails. */
export type Sealing = {
  seal(text: string, identity: string): Sealed;
  /** Throws when the key is not known, or the bytes or the identity were altered. */
  open(sealed: Sealed, identity: string): string;
};

/**
 * AES-256-GCM under the first key; the others only open what was sealed before a rotation. Keys are 32 bytes in
 * base64 and are told apart by a fingerprint, so that nobody has to number them.
 */
export function openSealing(keys: readonly string[]): Sealing {
  const byId = new Map(keys.map((text) => entryOf(text)));
  const [current] = byId.keys();
  if (current === undefined) throw new Error('sealing needs a key');
  const keyOf = (id: string): Buffer => {
    const key = byId.get(id);
    if (!key) throw new Error(`sealed with key ${id}, which is not configured`);
    return key;
  };
  return {
    seal(text, identity) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(current), nonce).setAAD(Buffer.from(identity));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return { keyId: current, bytes: Buffer.concat([nonce, sealed, cipher.getAuthTag()]) };
    },
    open({ keyId, bytes }, identity) {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, keyOf(keyId), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(identity)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

function entryOf(text: string): [string, Buffer] {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('an encryption key must be 32 bytes in base64');
  return [createHash('sha256').update(key).digest('hex').slice(0, 12), key];
}
