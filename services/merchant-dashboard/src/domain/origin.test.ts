import { describe, expect, it } from '@jest/globals';
import { originFault } from './origin.ts';

describe('a web origin', () => {
  it.each([
    'https://shop.example',
    'https://shop.example:8443',
    'http://localhost:5173',
    'http://[::1]:3000',
  ])('the origin %s may be registered', (origin) => expect(originFault(origin)).toBeUndefined());

  it.each([
    'http://shop.example',
    'https://shop.example/',
    'https://shop.example/pay',
    'https://Shop.example',
    'https://shop.example:443',
    'https://ana@shop.example',
    'https://*.shop.example',
    'http://localhost.shop.example',
    'ftp://shop.example',
    'null',
    '*',
    '',
  ])('the origin %j may not be registered', (origin) => expect(originFault(origin)).toMatch(/^must be/));
});
