import { expect, it } from '@jest/globals';
import { parseAddressRange } from './address-range.ts';

it.each([
  ['203.0.113.7', '203.0.113.7/32'],
  [' 203.0.113.0/24 ', '203.0.113.0/24'],
  ['2001:DB8::/48', '2001:db8::/48'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['0.0.0.0/0', '0.0.0.0/0'],
])('the address %j is the network %s', (text, network) => {
  expect(parseAddressRange(text)).toBe(network);
});

it.each([
  '',
  'shop.example',
  '203.0.113.7/33',
  '203.0.113.7/-1',
  '203.0.113.7/024',
  '1.2.3',
  'fe80::1%eth0',
  '::/129',
  '10.0.0.0/8/8',
])('the text %j is no network', (text) => {
  expect(parseAddressRange(text)).toBeUndefined();
});
