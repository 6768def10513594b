import { expect, it } from '@jest/globals';
import { readSupportUrl } from './support-url.ts';

it.each([
  ['https://casalola.example/help', 'https://casalola.example/help'],
  [' HTTPS://Casalola.example ', 'https://casalola.example/'],
  ['https://casalola.example/a b"<c>', 'https://casalola.example/a%20b%22%3Cc%3E'],
  ['https://m\u00fcnchen.example', 'https://xn--mnchen-3ya.example/'],
])('the page %j is stored as browsers write it (Q110)', (entered, url) => {
  expect(readSupportUrl(entered)).toEqual({ url });
});

it.each([
  ['', /must be an address/],
  ['casalola.example', /must be an address/],
  ['http://casalola.example', /must be an address/],
  ['javascript:alert(1)', /must be an address/],
  ['mailto:a@casalola.example', /must be an address/],
  ['https://bank.example@casalola.example', /no user/],
  ['https://:x@casalola.example', /no user/],
  ['https://localhost/help', /payers reach/],
  ['https://127.0.0.1', /payers reach/],
  ['https://[::1]/', /payers reach/],
  [`https://casalola.example/${'a'.repeat(300)}`, /at most 300/],
])('the text %j is no page for payers (Q110)', (entered, fault) => {
  expect(readSupportUrl(entered)).toEqual({ fault: expect.stringMatching(fault) });
});
