import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openSealing } from './sealing.ts';

const [old, current] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'));
if (old === undefined || current === undefined) throw new Error('two keys');

describe('sealing', () => {
  it('opens what it sealed, and says nothing of it in between', () => {
    const sealed = openSealing([current]).seal('pi_1_secret_2 ü', 'row-1');
    expect(sealed.bytes.includes('secret')).toBe(false);
    expect(openSealing([current]).open(sealed, 'row-1')).toBe('pi_1_secret_2 ü');
  });

  it('never seals the same text twice the same', () => {
    const { seal } = openSealing([current]);
    expect(seal('x', 'p').bytes.equals(seal('x', 'p').bytes)).toBe(false);
  });

  it('opens nothing in another place', () => {
    const sealing = openSealing([current]);
    expect(() => sealing.open(sealing.seal('x', 'row-1'), 'row-2')).toThrow();
  });

  it('opens nothing that was altered, wherever', () => {
    const sealing = openSealing([current]);
    const { bytes, sealedWith } = sealing.seal('some text', 'p');
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => sealing.open({ bytes: altered, sealedWith }, 'p')).toThrow();
    }
    expect(() => sealing.open({ bytes: bytes.subarray(0, 20), sealedWith }, 'p')).toThrow();
  });

  it('after a rotation opens the old and seals with the new', () => {
    const before = openSealing([old]).seal('x', 'p');
    const rotated = openSealing([current, old]);
    expect(rotated.open(before, 'p')).toBe('x');
    expect(openSealing([current]).open(rotated.seal('y', 'p'), 'p')).toBe('y');
    expect(() => openSealing([current]).open(before, 'p')).toThrow('not configured');
  });
});
