import { describe, expect, it } from '@jest/globals';
import { mask } from './fields.ts';

/** Numbers with right check digits, of several lengths and brands. */
const cards = [
  '4222222222222',
  '36227206271667',
  '378282246310005',
  '4111111111111111',
  '5555555555554444',
  '2223003122003222',
  '6759649826438453003',
];
const mistyped = '4111111111111112';

describe('card numbers in texts', () => {
  it.each([
    ['alone', (card: string) => card],
    ['as the value of a field', (card: string) => `{"pan":"${card}","cvc":1}`],
    ['beside signs', (card: string) => `pan=${card}&x`],
    ['after an underscore', (card: string) => `card_${card}_visa`],
    ['beside a word', (card: string) => `card${card}`],
    ['between words', (card: string) => `pan${card}visa`],
    ['before further digits, such as an expiry and a code', (card: string) => `${card}1227123`],
    ['after digits that do not start a card', (card: string) => `1${card}`],
  ])('a card number %s is masked, and so is one that somebody mistyped', (_where, write) => {
    for (const card of [...cards, mistyped]) {
      expect(mask(write(card))).not.toMatch(/\d{8}/);
      expect(mask(write(card))).toContain('[masked]');
    }
  });

  it.each([
    ['beside hexadecimal letters', (card: string) => `abc${card}def`],
    ['after an escape in an address', (card: string) => `pan%3D${card}`],
    ['among further digits and letters', (card: string) => `x1${card}y2z`],
    ['in a hexadecimal text that is no id of a request', (card: string) => `f${card}1227e`],
    ['behind what only begins like an id of a request', (card: string) => `req_${card}a`],
  ])('a card number %s is masked by its check digit', (_where, write) => {
    for (const card of cards) expect(mask(write(card))).not.toContain(card);
  });

  it('every place in a row of digits is searched for a card number', () => {
    for (let before = 0; before < 8; before++)
      expect(mask(`a${'1'.repeat(before)}4111111111111111${'0'.repeat(7 - before)}f`)).toBe('a[masked]f');
  });
});

describe('ids in texts', () => {
  it.each([
    ['the id of a request', 'req_4f5234567890123e54ad4441'],
    ['the id of a request whose digits would pass as a card number', 'req_4f4111111111111111e54ad4'],
    ['the id of a trace', '4f5234567890122e54ad44414f523456'],
    ['a hash', `9a5234567890122${'c0ffee'.repeat(8)}a`],
    ['an id in base32', '01k5234567890122zqx7hmv3tr'],
    ['a UUID', '40123456-1234-4123-8123-456789012345'],
    ['a time in milliseconds', '1795730400123'],
  ])('%s is not masked', (_what, id) => {
    expect(mask(id)).toBe(id);
    expect(mask(`GET /v1/things/${id}?a=1`)).toBe(`GET /v1/things/${id}?a=1`);
  });
});
