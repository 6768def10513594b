import { describe, expect, it } from '@jest/globals';
import { metadataFaults, plainLength } from './metadata.ts';

const tooLong = [
  { param: 'metadata', reason: 'must have at most 16384 bytes as JSON, numbers without exponent' },
];

describe('metadata', () => {
  it('metadata may have 16 kB as JSON and not a byte more', () => {
    const frame = '{"note":""}'.length;
    const makeNote = (bytes: number) => ({ note: 'x'.repeat(bytes - frame) });
    expect(metadataFaults('metadata', makeNote(16_384))).toEqual([]);
    expect(metadataFaults('metadata', makeNote(16_385))).toEqual(tooLong);
    expect(metadataFaults('metadata', { note: 'é'.repeat(8_192) })).toEqual(tooLong);
    expect(metadataFaults('metadata', undefined)).toEqual([]);
  });

  it('metadata counts each number with all digits that are kept of it, however deep it lies', () => {
    const withNumbers = (count: number) => ({ deep: [{ sizes: new Array(count).fill(1e308) }] });
    expect(metadataFaults('metadata', withNumbers(52))).toEqual([]);
    expect(metadataFaults('metadata', withNumbers(53))).toEqual(tooLong);
    expect(metadataFaults('metadata', { small: new Array(60).fill(-1e-300) })).toEqual(tooLong);
  });

  it('metadata has no number that JSON cannot say', () => {
    expect(metadataFaults('metadata', { much: [Infinity] })).toEqual([
      { param: 'metadata', reason: 'has a number that is too large' },
    ]);
  });
});

it.each([
  [0, 1],
  [-0, 1],
  [-12.5, 5],
  [1e20, 21],
  [1e21, 22],
  [-1.5e21, 23],
  [1e308, 309],
  [1e-6, 8],
  [1e-7, 9],
  [1.25e-7, 11],
  [-1e-300, 303],
  [5e-324, 326],
])('the number %d has %i characters without an exponent', (number, length) => {
  expect(plainLength(number)).toBe(length);
});
