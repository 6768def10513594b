import { describe, expect, it } from '@jest/globals';
import { formats } from './formats.ts';

const takes = (format: string, text: string): boolean => formats[format]?.(text) ?? false;

describe('date-time', () => {
  it.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02t03:04:05.123456789z',
    '2026-01-02T23:59:59.9+14:00',
    '2024-02-29T00:00:00-23:59',
    '0000-01-01T00:00:00Z',
  ])('a date-time may be %s', (text) => {
    expect(takes('date-time', text)).toBe(true);
    expect(Number.isNaN(Date.parse(text.toUpperCase()))).toBe(false);
  });

  it.each([
    '2026-01-02T03:04:05',
    '2026-01-02 03:04:05Z',
    '2026-01-02',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-02T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-02T03:04:05+2400',
    '2026-01-02T03:04:05+24:00',
    '+012026-01-02T03:04:05Z',
    '1767322800',
    'now',
  ])('a date-time cannot be %s', (text) => expect(takes('date-time', text)).toBe(false));
});

describe('date', () => {
  it.each(['2026-01-02', '2024-02-29', '0000-01-01'])('a date may be %s', (text) =>
    expect(takes('date', text)).toBe(true),
  );

  it.each([
    '2025-02-29',
    '2026-13-01',
    '2026-1-2',
    '26-01-02',
    '2026-01-02T00:00:00Z',
    ' 2026-01-02',
    '2026-01-02\n',
    '',
  ])('a date cannot be %j', (text) => expect(takes('date', text)).toBe(false));
});

describe('email', () => {
  it.each(['ada@example.com', "o'neil+tag@mail.example.co.uk", 'a@b.co', '1@2.de'])(
    'an email may be %s',
    (text) => expect(takes('email', text)).toBe(true),
  );

  it.each([
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'a b@example.com',
    'a@b..co',
    '.a@b.co',
    'a@-b.co',
    'a@b.co\n',
  ])('an email cannot be %j', (text) => expect(takes('email', text)).toBe(false));

  it('an email that is too long is refused before it is parsed', () => {
    expect(takes('email', `${'a'.repeat(200_000)}@example.com`)).toBe(false);
    expect(takes('email', `a@${'a-'.repeat(150)}`)).toBe(false);
  });
});

describe('uuid', () => {
  it('a uuid may have any version in any case, and no other spelling', () => {
    expect(takes('uuid', '0198C3F0-0000-7000-8000-00000000000a')).toBe(true);
    for (const text of [
      'urn:uuid:0198c3f0-0000-7000-8000-00000000000a',
      '0198c3f0000070008000000000000000',
      '',
    ]) {
      expect(takes('uuid', text)).toBe(false);
    }
  });
});

describe('uri', () => {
  it.each(['https://shop.example/hooks?a=b', 'https://münchen.example/häuser?q="x"'])(
    'a uri may be %s, which the receiver encodes as a URI',
    (text) => expect(takes('uri', text)).toBe(true),
  );

  it.each(['/hooks', 'https://', `https://shop.example/${'x'.repeat(2_100)}`])('a uri cannot be %s', (text) =>
    expect(takes('uri', text)).toBe(false),
  );
});
