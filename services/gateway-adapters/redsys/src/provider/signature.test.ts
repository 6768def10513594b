import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isSigned, computeMac, sign, type SignatureVersion } from './signature.ts';

type Vector = {
  name: string;
  version: SignatureVersion;
  key: string;
  order: string;
  parameters: string;
  signature: string;
};

/** Messages from the fixtures of public libraries, and the vendor's own example. */
const fixture = new URL('../../test/fixtures/signatures.json', import.meta.url);
const vectors = JSON.parse(readFileSync(fixture, 'utf8')) as Vector[];

const buildSignedFields = ({ version, parameters, signature }: Vector) => ({
  Ds_SignatureVersion: version,
  Ds_MerchantParameters: parameters,
  Ds_Signature: signature,
});

describe.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
  it('the published vector gets the published signature', () => {
    const mac = computeMac(vector.version, vector.key, vector.order, vector.parameters);
    expect(mac).toEqual(Buffer.from(vector.signature, 'base64'));
  });

  it('the published signature is verified, and refused with another parameter, order, key or version', () => {
    const fields = buildSignedFields(vector);
    const { key, order, parameters, version } = vector;
    expect(isSigned(key, order, fields)).toBe(true);
    const altered = parameters.replace(/^./, (first) => (first === 'e' ? 'f' : 'e'));
    expect(isSigned(key, order, { ...fields, Ds_MerchantParameters: altered })).toBe(false);
    expect(isSigned(key, `${order}0`, fields)).toBe(false);
    expect(isSigned(key.replace(/^./, 'A'), order, fields)).toBe(false);
    const other = version === 'HMAC_SHA256_V1' ? 'HMAC_SHA512_V2' : 'HMAC_SHA256_V1';
    expect(isSigned(key, order, { ...fields, Ds_SignatureVersion: other })).toBe(false);
    expect(isSigned(key, order, { ...fields, Ds_SignatureVersion: 'HMAC_SHA512_V1' })).toBe(false);
  });
});

it('the vendor’s own example has both versions of the signature among the vectors', () => {
  expect(new Set(vectors.map(({ version }) => version)).size).toBe(2);
});

describe.each(['HMAC_SHA256_V1', 'HMAC_SHA512_V2'] as const)('%s', (version) => {
  const key = 'sq7HjrUOBfKmC576ILgskD5srU870gJ7';

  it('a version verifies its own signature, in its own alphabet', () => {
    const fields = sign(version, key, '1234abcd', { DS_MERCHANT_ORDER: '1234abcd', text: '¿ñ?>' });
    expect(isSigned(key, '1234abcd', fields)).toBe(true);
    const packed = Buffer.from(fields.Ds_MerchantParameters, 'base64').toString('utf8');
    expect(JSON.parse(packed)).toEqual({ DS_MERCHANT_ORDER: '1234abcd', text: '¿ñ?>' });
    const alphabet = version === 'HMAC_SHA256_V1' ? /^[A-Za-z0-9+/]+=*$/ : /^[A-Za-z0-9_-]+$/;
    expect(fields.Ds_MerchantParameters).toMatch(alphabet);
    expect(fields.Ds_Signature).toMatch(alphabet);
  });

  it.each(['', 'x', '=', 'A'.repeat(43), '\0'])(
    'a version refuses the signature %p without throwing',
    (signature) => {
      const fields = { ...sign(version, key, '1234', {}), Ds_Signature: signature };
      expect(isSigned(key, '1234', fields)).toBe(false);
    },
  );
});
