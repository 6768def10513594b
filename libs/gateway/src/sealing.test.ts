import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { openSealing } from './sealing.ts';

const key = () => randomBytes(32).toString('base64');

describe('credentials at rest', () => {
  it('open only under the identity they were sealed for', () => {
    const sealing = openSealing([key()]);
    const sealed = sealing.seal('secret', 'merchant 1 test');
    expect(sealing.open(sealed, 'merchant 1 test')).toBe('secret');
    expect(() => sealing.open(sealed, 'merchant 1 live')).toThrow();
  });

  it('do not open when a single bit was altered', () => {
    const sealing = openSealing([key()]);
    const { keyId, bytes } = sealing.seal('secret', 'x');
    for (let i = 0; i < bytes.length; i += 1) {
      const altered = Buffer.from(bytes);
      altered[i] = (altered[i] ?? 0) ^ 1;
      expect(() => sealing.open({ keyId, bytes: altered }, 'x')).toThrow();
    }
  });

  it('survive a rotation, and are sealed with the newest key from then on', () => {
    const [old, fresh] = [key(), key()];
    const sealed = openSealing([old]).seal('secret', 'x');
    const rotated = openSealing([fresh, old]);
    expect(rotated.open(sealed, 'x')).toBe('secret');
    expect(rotated.seal('secret', 'x').keyId).not.toBe(sealed.keyId);
    expect(() => openSealing([fresh]).open(sealed, 'x')).toThrow(/not configured/);
  });

  it('need a key of 32 bytes', () => expect(() => openSealing(['c2hvcnQ='])).toThrow(/32 bytes/));
});
