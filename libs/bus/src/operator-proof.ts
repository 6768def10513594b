import { createHash, randomBytes } from 'node:crypto';
import { nkeys } from '@gp/bundled/nats';
import type { Identity } from './identity.ts';

/**
 * What a request of an operator carries beside its body: who signed, when by the clock of that machine, a number that
 * is used once, and the signature over these, the subject and the body.
 */
export type OperatorProof = {
  /** The public key, an nkey of the kind "operator". */
  readonly key: string;
  readonly signedAtMs: number;
  readonly nonce: string;
  readonly signature: Uint8Array;
};

/** What is signed beside the proof's own fields; `digest` is the SHA-256 of the body, in hexadecimal. */
export type Signed = { readonly subject: string; readonly digest: string };

/** Signs requests with one operator's key. */
export type OperatorSigner = {
  readonly key: string;
  /** Returns a new proof for a request, as text for a header. */
  sign(subject: string, body: string): string;
};

const VERSION = 'v1';
const NONCE_BYTES = 16;
const FORM = /^v1 (O[A-Z2-7]{55}) (\d{13}) ([\w-]{22}) ([\w-]{86})$/;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Creates the key pair of an operator. Its seed begins with SO, so that no program takes it for an identity on the bus. */
export function createOperatorKey(): Identity {
  const pair = nkeys.createOperator();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}

/** Returns whether this is the private half of an operator's key, by its form and checksum. */
export function isOperatorSeed(seed: string): boolean {
  try {
    nkeys.fromSeed(encode(seed));
    return seed.startsWith('SO');
  } catch {
    return false;
  }
}

/** Returns whether this is the public half of an operator's key, by its form and checksum. */
export function isOperatorKey(key: string): boolean {
  try {
    nkeys.fromPublic(key);
    return key.startsWith('O');
  } catch {
    return false;
  }
}

/** Opens a signer; throws when the seed is not that of an operator. The error does not repeat the seed. */
export function openOperatorSigner(seed: string, now: () => number = Date.now): OperatorSigner {
  if (!isOperatorSeed(seed)) throw new Error('this is not the private half of an operator’s key');
  const pair = nkeys.fromSeed(encode(seed));
  const key = pair.getPublicKey();
  return {
    key,
    sign(subject, body) {
      const proof = { key, signedAtMs: now(), nonce: randomBytes(NONCE_BYTES).toString('base64url') };
      const text = buildSignedText(proof, { subject, digest: digestBody(body) });
      const signature = Buffer.from(pair.sign(text)).toString('base64url');
      return [VERSION, key, proof.signedAtMs, proof.nonce, signature].join(' ');
    },
  };
}

/** Parses a proof; undefined for any other text. */
export function parseOperatorProof(text: string): OperatorProof | undefined {
  const [, key, at, nonce, signature] = FORM.exec(text) ?? [];
  if (key === undefined || at === undefined || nonce === undefined || signature === undefined)
    return undefined;
  return { key, signedAtMs: Number(at), nonce, signature: Buffer.from(signature, 'base64url') };
}

/** Returns whether the key of the proof signed this request. */
export function isSignedBy(proof: OperatorProof, signed: Signed): boolean {
  try {
    return nkeys.fromPublic(proof.key).verify(buildSignedText(proof, signed), proof.signature);
  } catch {
    // A key whose checksum is wrong is nobody's.
    return false;
  }
}

/** Returns the SHA-256 of a body, in hexadecimal. */
export function digestBody(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}

/** One field a line: no field can hold a line break, so that two requests never have one text. */
function buildSignedText(
  { key, signedAtMs, nonce }: Pick<OperatorProof, 'key' | 'signedAtMs' | 'nonce'>,
  { subject, digest }: Signed,
): Uint8Array {
  return encode(['group-payments operator', VERSION, key, signedAtMs, nonce, subject, digest].join('\n'));
}
