import { createCipheriv, createDecipheriv, createECDH, createHash, ECDH, randomBytes } from 'node:crypto';

/** A field encrypted for an app: `ev:[debug:]<version>[:<type>]:<iv>:<ephemeral key>:<ciphertext and tag>:$`. */
const CIPHERTEXT =
  /^ev:(debug:)?(RFVC|Tk9D|S0lS|QkTC):(?:(number|boolean):)?([A-Za-z0-9+/]{16}):([A-Za-z0-9+/]{44}):([A-Za-z0-9+/]{22,}):\$$/;

export const looksEncrypted = (text: string): boolean => text.startsWith('ev:');

/** Thrown when a text cannot be decrypted with this app's key: it is damaged, or was encrypted for another app. */
export class CipherError extends Error {}

type Curve = 'prime256v1' | 'secp256k1';

/** An app's two key pairs; the browser uses the first, older server SDKs the second. */
export type AppKeys = {
  readonly [curve in Curve]: { readonly publicKey: Buffer; readonly privateKey: Buffer };
};

type Version = {
  readonly curve: Curve;
  readonly hasKdf: boolean;
  /**
   * The number of the version inside the authenticated data; `app_key` where that is only the app's key, `none`
   * without any.
   */
  readonly aad: number | 'app_key' | 'none';
  readonly hasMetadata: boolean;
};

const VERSIONS: Readonly<Record<string, Version>> = {
  RFVC: { curve: 'secp256k1', hasKdf: false, aad: 'none', hasMetadata: false },
  Tk9D: { curve: 'prime256v1', hasKdf: true, aad: 'app_key', hasMetadata: false },
  S0lS: { curve: 'secp256k1', hasKdf: true, aad: 0, hasMetadata: true },
  QkTC: { curve: 'prime256v1', hasKdf: true, aad: 1, hasMetadata: true },
};

/** DER of an uncompressed public key with its curve parameters written out, up to the point itself. */
const SPKI_PREFIX: Readonly<Record<Curve, Buffer>> = {
  prime256v1: Buffer.from(
    '3082014b3082010306072a8648ce3d02013081f7020101302c06072a8648ce3d0101022100ffffffff00000001000000000000000000000000ffffffffffffffffffffffff305b0420ffffffff00000001000000000000000000000000fffffffffffffffffffffffc04205ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b031500c49d360886e704936a6678e1139d26b7819f7e900441046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5022100ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551020101034200',
    'hex',
  ),
  secp256k1: Buffer.from(
    '308201333081ec06072a8648ce3d02013081e0020101302c06072a8648ce3d0101022100fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f3044042000000000000000000000000000000000000000000000000000000000000000000420000000000000000000000000000000000000000000000000000000000000000704410479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8022100fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141020101034200',
    'hex',
  ),
};

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const DEBUG_AAD = 0x80;
const DATATYPES = ['string', 'number', 'boolean'];

export function newAppKeys(): AppKeys {
  const pair = (curve: Curve) => {
    const ecdh = createECDH(curve);
    ecdh.generateKeys();
    return { publicKey: ecdh.getPublicKey(null, 'compressed'), privateKey: ecdh.getPrivateKey() };
  };
  return { prime256v1: pair('prime256v1'), secp256k1: pair('secp256k1') };
}

/** Returns the value of an encrypted field in its own type; throws CipherError when this app cannot decrypt it. */
export function decryptField(text: string, keys: AppKeys): string | number | boolean {
  const parts = CIPHERTEXT.exec(text);
  const [, debug, name = '', datatype = 'string', iv = '', ephemeral = '', sealed = ''] = parts ?? [];
  const version = VERSIONS[name];
  if (version === undefined) throw new CipherError('not an encrypted field');
  const app = keys[version.curve];
  const point = Buffer.from(ephemeral, 'base64');
  try {
    const ecdh = createECDH(version.curve);
    ecdh.setPrivateKey(app.privateKey);
    const key = deriveKey(ecdh.computeSecret(point), point, version);
    const aad = buildAdditionalData(version, debug !== undefined, datatype, point, app.publicKey);
    const text = opened(key, Buffer.from(iv, 'base64'), Buffer.from(sealed, 'base64'), aad);
    return typed(withoutMetadata(text, version.hasMetadata).toString('utf8'), datatype);
  } catch (cause) {
    throw new CipherError('the field cannot be decrypted', { cause });
  }
}

/** Encrypts text as the browser's field does; `role` names the purpose of the value. */
export function encryptField(
  text: string,
  appKey: Buffer,
  o: { role?: string; isDebug?: boolean; at: Date },
): string {
  const version = VERSIONS['QkTC'] as Version;
  const ecdh = createECDH(version.curve);
  ecdh.generateKeys();
  const point = ecdh.getPublicKey(null, 'compressed');
  const key = deriveKey(ecdh.computeSecret(appKey), point, version);
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  const aad = buildAdditionalData(version, o.isDebug === true, 'string', point, appKey);
  if (aad) cipher.setAAD(aad);
  const metadata = encodeFieldMetadata(o.role, o.at);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(metadata.length);
  const plain = Buffer.concat([length, metadata, Buffer.from(text, 'utf8')]);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `ev:${o.isDebug ? 'debug:' : ''}QkTC:${base64(iv)}:${base64(point)}:${base64(sealed)}:$`;
}

/** ANSI-X9.63: one hash over the shared secret, a counter and the whole ephemeral public key. */
function deriveKey(secret: Buffer, point: Buffer, { curve, hasKdf }: Version): Buffer {
  if (!hasKdf) return secret;
  const uncompressed = ECDH.convertKey(point, curve, undefined, undefined, 'uncompressed') as Buffer;
  return createHash('sha256')
    .update(Buffer.concat([secret, Buffer.from([0, 0, 0, 1]), SPKI_PREFIX[curve], uncompressed]))
    .digest();
}

function buildAdditionalData(
  version: Version,
  isDebug: boolean,
  datatype: string,
  point: Buffer,
  appKey: Buffer,
): Buffer | null {
  if (version.aad === 'none') return null;
  if (version.aad === 'app_key') return appKey;
  const config = isDebug ? DEBUG_AAD : (DATATYPES.indexOf(datatype) << 4) | version.aad;
  return Buffer.concat([Buffer.from([config]), point, appKey]);
}

function opened(key: Buffer, iv: Buffer, sealed: Buffer, aad: Buffer | null): Buffer {
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  if (aad) decipher.setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
}

function withoutMetadata(plain: Buffer, hasMetadata: boolean): Buffer {
  return hasMetadata ? plain.subarray(2 + plain.readUInt16LE(0)) : plain;
}

function typed(text: string, datatype: string): string | number | boolean {
  if (datatype === 'number') return Number(text);
  return datatype === 'boolean' ? text === 'true' : text;
}

/** Returns a MessagePack map: the role if any, the encrypting party (5 = an SDK), and the time. */
function encodeFieldMetadata(role: string | undefined, at: Date): Buffer {
  const seconds = Buffer.alloc(4);
  seconds.writeUInt32BE(Math.floor(at.getTime() / 1000));
  const short = (text: string) => Buffer.concat([Buffer.from([0xa0 | text.length]), Buffer.from(text)]);
  const roleEntry = role === undefined ? [] : [short('dr'), short(role)];
  const entries = [...roleEntry, short('eo'), Buffer.from([5]), short('et'), Buffer.from([0xce]), seconds];
  return Buffer.concat([Buffer.from([0x80 | (role === undefined ? 2 : 3)]), ...entries]);
}
