import { describe, expect, it } from '@jest/globals';
import { listKeyFaults } from './index.ts';

const plain = 'A'.repeat(43) + '=';
const wrapped = `vault:v1:${'A'.repeat(80)}`;
const kms = { kmsUrl: 'https://kms.example:8200', kmsKey: 'group-payments-checkout' };

describe('the settings of encryption keys and a KMS', () => {
  it('keys as they are need no KMS, and a service without keys has no faults (Y3)', () => {
    expect(listKeyFaults({ encryptionKey: plain, previousEncryptionKeys: plain })).toEqual([]);
    expect(listKeyFaults({})).toEqual([]);
  });

  it('a rotation may mix wrapped keys with keys as they are (Y10)', () => {
    expect(listKeyFaults({ ...kms, encryptionKey: wrapped, previousEncryptionKeys: plain })).toEqual([]);
    expect(listKeyFaults({ ...kms, encryptionKey: plain, previousEncryptionKeys: wrapped })).toEqual([]);
  });

  it.each([
    { encryptionKey: wrapped },
    { encryptionKey: plain, previousEncryptionKeys: `${plain},${wrapped}` },
  ])('a wrapped key without a KMS is a fault that does not repeat it (Y10)', (keys) => {
    expect(listKeyFaults(keys)).toEqual(['KMS_URL is required to unwrap encryption keys']);
  });

  it('everything that a KMS lacks is named at once (Y10)', () => {
    const found = listKeyFaults({
      encryptionKey: wrapped,
      kmsUrl: 'http://kms.example',
      kmsToken: 'token',
      kmsRole: 'checkout',
    });
    expect(found).toEqual([
      'KMS_URL must be an https: address, but for an agent on this machine',
      'KMS_KEY is required with KMS_URL',
      'KMS_ROLE and KMS_TOKEN exclude each other',
      'KMS_JWT_FILE is required with KMS_ROLE',
    ]);
  });

  it.each(['http://127.0.0.1:8100', 'http://localhost:8100', 'http://[::1]:8100'])(
    'an agent on this machine may listen without TLS: %s (Y10)',
    (kmsUrl) => {
      expect(listKeyFaults({ ...kms, encryptionKey: wrapped, kmsUrl })).toEqual([]);
    },
  );
});
