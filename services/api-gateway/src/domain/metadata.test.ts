import { describe, expect, it } from '@jest/globals';
import { metadataFaults, plainLength } from './metadata.ts';

const tooLong = [
  { param: 'metadata', reason: 'must have at most 16384 bytes as JSON, with all digits of its numbers' },
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
    const withNumbers = (count: number) => ({ deep: [{ sizes: new Array(count).fill(-1e-300) }] });
    expect(metadataFaults('metadata', withNumbers(53))).toEqual([]);
    expect(metadataFaults('metadata', withNumbers(54))).toEqual(tooLong);
  });

  it.each([
    ['{"order":9007199254740993}', 'metadata.order'],
    ['{"order":-9007199254740992}', 'metadata.order'],
    ['{"a":{"b":[1,1e30]}}', 'metadata.a.b[1]'],
    ['{"much":[1e400]}', 'metadata.much[0]'],
    [`{"${'x'.repeat(200)}":1e16}`, `metadata.${'x'.repeat(119)}`],
  ])('metadata has no number that readers of JSON would alter, such as in %s', (text, param) => {
    const reason = 'must be between -9007199254740991 and 9007199254740991: send a larger number as text';
    expect(metadataFaults('metadata', JSON.parse(text) as object)).toEqual([{ param, reason }]);
  });

  it('metadata has whole numbers up to the largest that all readers keep, with an exponent too', () => {
    const text = '{"a":9007199254740991,"b":-9007199254740991,"c":1e3,"d":1.5e-9,"e":"9007199254740993"}';
    expect(metadataFaults('metadata', JSON.parse(text) as object)).toEqual([]);
  });
});

it.each([
  [0, 1],
  [-0, 1],
  [-12.5, 5],
  [-9007199254740991, 17],
  [1e-6, 8],
  [1e-7, 9],
  [1.25e-7, 11],
  [-1e-300, 303],
  [5e-324, 326],
])('the number %d has %i characters without an exponent', (number, length) => {
  expect(plainLength(number)).toBe(length);
});
