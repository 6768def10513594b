import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_VERSIONS = ['HMAC_SHA256_V1', 'HMAC_SHA512_V2'] as const;
export type SignatureVersion = (typeof SIGNATURE_VERSIONS)[number];

/** The three fields every message of this gateway consists of. */
export type SignedFields = {
  readonly Ds_SignatureVersion: string;
  readonly Ds_MerchantParameters: string;
  readonly Ds_Signature: string;
};

export function isSignatureVersion(value: string): value is SignatureVersion {
  return SIGNATURE_VERSIONS.some((version) => version === value);
}

/** Packs parameters and signs them: V1 in standard base64, V2 in base64url without padding. */
export function sign(
  version: SignatureVersion,
  key: string,
  order: string,
  parameters: Readonly<Record<string, string>>,
): SignedFields {
  const encoding = version === 'HMAC_SHA256_V1' ? 'base64' : 'base64url';
  const packed = Buffer.from(JSON.stringify(parameters), 'utf8').toString(encoding);
  const mac = computeMac(version, key, order, packed);
  return {
    Ds_SignatureVersion: version,
    Ds_MerchantParameters: packed,
    Ds_Signature: mac.toString(encoding),
  };
}

/**
 * Returns whether the signature is the key's, over the text exactly as it was received; both alphabets of base64
 * are accepted.
 */
export function isSigned(key: string, order: string, fields: SignedFields): boolean {
  const { Ds_SignatureVersion: version, Ds_MerchantParameters: packed, Ds_Signature: signature } = fields;
  if (!isSignatureVersion(version)) return false;
  const expected = computeMac(version, key, order, packed);
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Returns the message authentication code: over the packed text, with a key for this order, derived from the
 * merchant's.
 */
export function computeMac(version: SignatureVersion, key: string, order: string, packed: string): Buffer {
  return version === 'HMAC_SHA256_V1'
    ? createHmac('sha256', orderKeyV1(key, order)).update(packed).digest()
    : createHmac('sha512', orderKeyV2(key, order)).update(packed).digest();
}

const BLOCK = 8;

/** Returns the 3DES-CBC of the order, padded with zero bytes to whole blocks. */
function orderKeyV1(key: string, order: string): Buffer {
  const text = Buffer.from(order, 'utf8');
  const padded = Buffer.alloc(Math.ceil(text.length / BLOCK) * BLOCK);
  text.copy(padded);
  const cipher = createCipheriv('des-ede3-cbc', Buffer.from(key, 'base64'), Buffer.alloc(BLOCK));
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(padded), cipher.final()]);
}

/**
 * Returns the AES-128-CBC of the order under the first 16 characters of the key's text; its base64 text is the
 * key.
 */
function orderKeyV2(key: string, order: string): string {
  const short = Buffer.from(key.slice(0, 16).padEnd(16, '0'), 'utf8');
  const cipher = createCipheriv('aes-128-cbc', short, Buffer.alloc(16));
  return Buffer.concat([cipher.update(order, 'utf8'), cipher.final()]).toString('base64');
}
