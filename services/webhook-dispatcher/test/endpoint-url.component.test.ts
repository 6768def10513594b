import { describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { parseEndpointUrl } from '../src/outbound/endpoint-url.ts';

function refusal(url: string): string | undefined {
  try {
    expect(parseEndpointUrl(url)).toBe(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect([error.code, error.data.param]).toEqual(['validation_error', 'url']);
    return error.message;
  }
}

describe('an endpoint may be at', () => {
  it.each([
    'https://shop.example/hooks',
    'https://shop.example:8443/hooks?a=1&b=%20',
    'https://shop.example',
    'https://xn--mnchen-3ya.example/hooks',
    'https://93.184.215.14/hooks',
    'https://[2606:4700::1111]/hooks',
    'https://localhost/hooks',
    'https://127.0.0.1:9999/hooks',
    'http://localhost:3000/hooks',
    'http://LOCALHOST:3000',
    'http://127.0.0.1:3000/hooks',
    'http://[::1]:3000/hooks',
    'https://internal.shop.example/resolves-to-whatever',
    `https://shop.example/${'a'.repeat(2048 - 21)}`,
  ])('an endpoint may be at %s', (url) => {
    expect(refusal(url)).toBeUndefined();
  });
});

describe('an address that is no URI is stored as the URI that is called', () => {
  it.each([
    ['https://m\u00fcnchen.example/hooks', 'https://xn--mnchen-3ya.example/hooks'],
    [
      'https://\u{20bb7}.example/\u{20bb7}?\u{20bb7}#\u{20bb7}',
      'https://xn--7l3i.example/%F0%A0%AE%B7?%F0%A0%AE%B7#%F0%A0%AE%B7',
    ],
    ['https://shop.example:8443/\u00e9', 'https://shop.example:8443/%C3%A9'],
    ['https://shop.example/a|b[c]"d?e=f|g{h}', 'https://shop.example/a%7Cb%5Bc%5D%22d?e=f%7Cg%7Bh%7D'],
    ['https://shop.example/a\\b', 'https://shop.example/a/b'],
    ['https://shop.example/#a#b', 'https://shop.example/#a%23b'],
  ])('an address that is no URI is stored as the URI that is called: %j', (url, uri) => {
    expect(parseEndpointUrl(url)).toBe(uri);
    expect(parseEndpointUrl(uri)).toBe(uri);
  });
});

describe('an endpoint may not be at', () => {
  it.each([
    ['http://shop.example/hooks', /https/],
    ['http://127.1:3000/', /https/],
    ['http://2130706433/', /https/],
    ['http://0x7f.1/', /https/],
    ['http://[::ffff:127.0.0.1]/', /https/],
    ['http://localhost.shop.example/', /https/],
    ['http://127.0.0.1.shop.example/', /https/],
    ['http://localhost./', /https/],
    ['ftp://shop.example/', /absolute https/],
    ['file:///etc/passwd', /absolute https/],
    ['javascript:alert(1)', /absolute https/],
    ['shop.example/hooks', /absolute https/],
    ['//shop.example/hooks', /absolute https/],
    ['https:shop.example', /absolute https/],
    ['https:/shop.example', /absolute https/],
    ['https:\\\\shop.example', /absolute https/],
    ['https://', /absolute https/],
    ['', /absolute https/],
    ['https://user:pass@shop.example/', /user name/],
    ['https://user@shop.example/', /user name/],
    ['https://@shop.example/', /user name/],
    ['https://shop.example@10.0.0.1/', /user name/],
    ['http://localhost@shop.example/', /user name/],
    [' https://shop.example/', /spaces/],
    ['https://shop.example/a b', /spaces/],
    ['https://shop.example/\r\nHost: x', /spaces/],
    ['https://shop\t.example/', /spaces/],
    ['https://10.0.0.1/', /private or reserved/],
    ['https://169.254.169.254/latest/meta-data', /private or reserved/],
    ['https://0x7f.1/', /private or reserved/],
    ['https://2130706433/', /private or reserved/],
    ['https://[::ffff:127.0.0.1]/', /private or reserved/],
    ['https://[fd00::1]/', /private or reserved/],
    ['https://[::127.0.0.1]/', /private or reserved/],
    ['https://1572395534/', /usual form/],
    ['https://shop.example:0/', /port 0/],
    ['https://shop.example:99999/', /absolute https/],
    ['https://shop.example/%zz', /URI/],
    ['https://sh"op.example/', /URI/],
    ['https://\uff11\uff12\uff17.0.0.1/', /private or reserved/],
    [`https://shop.example/${'a'.repeat(2048)}`, /2048/],
    [`https://shop.example/${'\u00e9'.repeat(400)}`, /2048/],
  ])('an endpoint may not be at %j', (url, reason) => {
    expect(refusal(url)).toMatch(/^Validation error: url: /);
    expect(refusal(url)).toMatch(reason);
  });
});
