import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openSeal, sealUnder, sealWith, type KeyProvider } from './index.ts';

const newKey = () => randomBytes(32).toString('base64');
const [old, current] = [newKey(), newKey()];
const seal = sealWith({ encryptionKey: current });

describe('a sealed text', () => {
  it.each(['', 'pi_1_secret_2 ü', 'x'.repeat(100_000)])('a sealed text opens unchanged', (text) => {
    expect(seal.open(seal.seal(text, 'row 1'), 'row 1')).toBe(text);
  });

  it('a sealed text shows nothing of its content', () => {
    expect(seal.seal('a secret', 'row 1').bytes.includes('secret')).toBe(false);
  });

  it('a sealed text never looks the same twice', () => {
    expect(seal.seal('x', 'row 1').bytes.equals(seal.seal('x', 'row 1').bytes)).toBe(false);
  });

  it('a sealed text opens in no other row', () => {
    const sealed = seal.seal('a secret', 'row 1');
    expect(() => seal.open(sealed, 'row 2')).toThrow();
    expect(() => seal.open(sealed, '')).toThrow();
  });

  it('a sealed text does not open when a single bit was altered, anywhere', () => {
    const { keyId, bytes } = seal.seal('a secret', 'row 1');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => seal.open({ keyId, bytes: altered }, 'row 1')).toThrow();
    }
  });

  it('a sealed text does not open when it was cut or lengthened', () => {
    const { keyId, bytes } = seal.seal('a secret', 'row 1');
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => seal.open({ keyId, bytes: bytes.subarray(0, length) }, 'row 1')).toThrow();
    }
    expect(() => seal.open({ keyId, bytes: bytes.subarray(0, 27) }, 'row 1')).toThrow(/too short/);
    expect(() => seal.open({ keyId, bytes: Buffer.concat([bytes, Buffer.alloc(1)]) }, 'row 1')).toThrow();
  });

  it('a sealed text does not open under another key, whichever key it claims', () => {
    const sealed = seal.seal('a secret', 'row 1');
    const other = sealWith({ encryptionKey: old });
    expect(() => other.open(sealed, 'row 1')).toThrow(/not configured/);
    expect(() => other.open({ ...sealed, keyId: other.seal('', '').keyId }, 'row 1')).toThrow();
  });
});

describe('a rotation', () => {
  const before = sealWith({ encryptionKey: old });
  const rotated = sealWith({ encryptionKey: current, previousEncryptionKeys: `${newKey()},${old}` });

  it('a rotation still opens what was sealed before', () => {
    expect(rotated.open(before.seal('x', 'row 1'), 'row 1')).toBe('x');
  });

  it('a rotation seals with the new key only', () => {
    expect(seal.open(rotated.seal('x', 'row 1'), 'row 1')).toBe('x');
    expect(() => before.open(rotated.seal('x', 'row 1'), 'row 1')).toThrow(/not configured/);
  });
});

describe('the names of keys', () => {
  it('the names of keys tell the newest from the previous ones, and a key that is listed twice counts once', () => {
    const rotated = sealWith({ encryptionKey: current, previousEncryptionKeys: `${old},${current}` });
    const [newest, previous] = [current, old].map((key) => sealWith({ encryptionKey: key }).keyIds.newest);
    expect(rotated.keyIds).toEqual({ newest, previous: [previous] });
  });
});

describe('a key provider', () => {
  it('a key provider gives a service its keys, wherever it has them from (Y3)', async () => {
    const kms: KeyProvider = {
      loadKeys: () => Promise.resolve({ newest: Buffer.from(current, 'base64'), previous: [] }),
    };
    const fromKms = sealUnder(await kms.loadKeys());
    const fromSettings = await openSeal({ encryptionKey: current });
    expect(fromSettings.open(fromKms.seal('a secret', 'row 1'), 'row 1')).toBe('a secret');
  });
});

describe('a key', () => {
  it.each(['', 'c2hvcnQ=', randomBytes(31).toString('base64'), randomBytes(33).toString('base64')])(
    'a key of another length than 32 bytes is refused, and not repeated: %j',
    (key) => {
      const message = 'an encryption key must be 32 bytes in base64';
      expect(() => sealWith({ encryptionKey: key })).toThrow(new Error(message));
      expect(() => sealWith({ encryptionKey: old, previousEncryptionKeys: `${current},${key}` })).toThrow(
        new Error(message),
      );
    },
  );
});
