/** The public key of an app, as the key server returns it. */
export type AppKey = {
  /** The point, compressed (33 bytes) and not (65 bytes). */
  readonly compressed: Bytes;
  readonly uncompressed: Bytes;
  readonly isDebug: boolean;
};

type Bytes = Uint8Array<ArrayBuffer>;

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;

/**
 * Encrypts a text for an app: `ev:[debug:]QkTC:<iv>:<ephemeral key>:<ciphertext and tag>:$`. Every call uses a new
 * key pair and iv. `role` names the purpose of the value. Rejects where the browser has no WebCrypto, as on plain
 * http.
 */
export async function encryptField(text: string, app: AppKey, role?: string): Promise<string> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  const uncompressed = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  const point = compressed(uncompressed);
  const appKey = await crypto.subtle.importKey('raw', app.uncompressed, CURVE, false, []);
  const secret = new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'ECDH', public: appKey }, privateKey, 256),
  );
  const key = await deriveKey(secret, uncompressed);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = joined([app.isDebug ? DEBUG : TEXT_IN_QKTC], point, app.compressed);
  const metadata = encodeFieldMetadata(role);
  const plain = joined([metadata.length & 0xff, metadata.length >> 8], metadata, utf8(text));
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData, tagLength: 128 }, key, plain),
  );
  return `ev:${app.isDebug ? 'debug:' : ''}QkTC:${base64(iv)}:${base64(point)}:${base64(sealed)}:$`;
}

/**
 * The first byte of the authenticated data: text (0) and version 1 of the format; or only that it is debug mode.
 */
const TEXT_IN_QKTC = 0x01;
const DEBUG = 0x80;

/** DER of a P-256 public key with its curve parameters written out, up to the point itself. */
const SPKI_PREFIX = fromHex(
  '3082014b3082010306072a8648ce3d02013081f7020101302c06072a8648ce3d0101022100ffffffff00000001000000000000000000000000ffffffffffffffffffffffff305b0420ffffffff00000001000000000000000000000000fffffffffffffffffffffffc04205ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b031500c49d360886e704936a6678e1139d26b7819f7e900441046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5022100ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551020101034200',
);

/** ANSI-X9.63 with one block: a hash over the shared secret, a counter and the whole ephemeral public key. */
async function deriveKey(secret: Bytes, ephemeral: Bytes): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest('SHA-256', joined(secret, [0, 0, 0, 1], SPKI_PREFIX, ephemeral));
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt']);
}

/** Returns a point as its x and the parity of its y. */
const compressed = (point: Bytes): Bytes => joined([2 + ((point[64] ?? 0) & 1)], point.subarray(1, 33));

/**
 * Returns a MessagePack map: the role if any, the encrypting party (5: a browser), and the time in unix seconds.
 */
function encodeFieldMetadata(role: string | undefined): Bytes {
  const word = (text: string) => joined([0xa0 | text.length], utf8(text));
  const seconds = new DataView(new ArrayBuffer(4));
  seconds.setUint32(0, Math.floor(Date.now() / 1000));
  const origin = joined(word('eo'), [5], word('et'), [0xce], new Uint8Array(seconds.buffer));
  return role === undefined ? joined([0x82], origin) : joined([0x83], word('dr'), word(role), origin);
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

function joined(...parts: readonly ArrayLike<number>[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const base64 = (bytes: Bytes): string => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '');

/** Reads standard base64, with or without padding. Throws on anything else. */
export const fromBase64 = (text: string): Bytes => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

function fromHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
