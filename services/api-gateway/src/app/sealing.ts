import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Sealed = { readonly sealedWith: string; readonly bytes: Buffer };

/** Keeps texts unreadable at rest. `place` says where a text belongs: opened for another place it fails. */
export type Sealing = {
  seal(text: string, place: string): Sealed;
  /** Throws when the key is not known, or bytes or place are not those of the sealing. */
  open(sealed: Sealed, place: string): string;
};

/**
 * AES-256-GCM under the first key; the others only open what was sealed before a rotation. A key is named by a
 * fingerprint, so that nobody has to number them.
 */
export function openSealing(keys: readonly string[]): Sealing {
  const byName = new Map(keys.map((text) => named(Buffer.from(text, 'base64'))));
  const [current] = byName.keys();
  if (current === undefined) throw new Error('sealing needs a key');
  const keyOf = (name: string): Buffer => {
    const key = byName.get(name);
    if (!key) throw new Error('sealed with a key that is not configured');
    return key;
  };
  return {
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, keyOf(current), nonce).setAAD(Buffer.from(place));
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { sealedWith: current, bytes };
    },
    open({ sealedWith, bytes }, place) {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, keyOf(sealedWith), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

function named(key: Buffer): [string, Buffer] {
  return [createHash('sha256').update(key).digest('hex').slice(0, 12), key];
}
