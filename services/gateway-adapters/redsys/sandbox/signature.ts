import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';

export const VERSIONS = ['HMAC_SHA256_V1', 'HMAC_SHA512_V2'] as const;
export type Version = (typeof VERSIONS)[number];

/** The encoding of each version: V1 base64 with padding, V2 base64url without. */
const ENCODINGS = { HMAC_SHA256_V1: 'base64', HMAC_SHA512_V2: 'base64url' } as const;
const ALPHABETS = {
  HMAC_SHA256_V1: /^[A-Za-z0-9+/]+={0,2}$/,
  HMAC_SHA512_V2: /^[A-Za-z0-9_-]+$/,
} as const;

export const isVersion = (text: string): text is Version => VERSIONS.some((version) => version === text);
export const isPacked = (version: Version, text: string): boolean => ALPHABETS[version].test(text);

export type SignedFields = {
  Ds_SignatureVersion: string;
  Ds_MerchantParameters: string;
  Ds_Signature: string;
};

/** Packs and signs parameters as the gateway does; its signatures use the URL-safe alphabet in both versions. */
export function signed(
  version: Version,
  key: string,
  order: string,
  parameters: Readonly<Record<string, unknown>>,
): SignedFields {
  const packed = Buffer.from(JSON.stringify(parameters)).toString(ENCODINGS[version]);
  const mac = computeMac(version, key, order, packed).toString('base64url');
  const padding = version === 'HMAC_SHA256_V1' ? '=' : '';
  return {
    Ds_SignatureVersion: version,
    Ds_MerchantParameters: packed,
    Ds_Signature: mac + padding,
  };
}

/** Returns whether a signature is right, over the packed text exactly as it was received. */
export function isSigned(
  version: Version,
  key: string,
  order: string,
  packed: string,
  given: string,
): boolean {
  const expected = computeMac(version, key, order, packed);
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

export function computeMac(version: Version, key: string, order: string, packed: string): Buffer {
  return version === 'HMAC_SHA256_V1'
    ? createHmac('sha256', tripleDes(Buffer.from(key, 'base64'), order))
        .update(packed)
        .digest()
    : createHmac('sha512', aes(key, order)).update(packed).digest();
}

/** Encrypts the order, padded with zero bytes to whole blocks of eight. */
function tripleDes(key: Buffer, order: string): Buffer {
  const text = Buffer.from(order);
  const blocks = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8)]);
  const cipher = createCipheriv('des-ede3-cbc', key, Buffer.alloc(8)).setAutoPadding(false);
  return Buffer.concat([cipher.update(blocks), cipher.final()]);
}

/** Keyed with the text of the merchant's key, not with its bytes. */
function aes(key: string, order: string): string {
  const cipher = createCipheriv('aes-128-cbc', key.padEnd(16, '0').slice(0, 16), Buffer.alloc(16));
  return Buffer.concat([cipher.update(order, 'utf8'), cipher.final()]).toString('base64');
}
