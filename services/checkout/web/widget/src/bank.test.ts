import { describe, expect, it } from '@jest/globals';
import { bankAddress } from './bank.ts';

const banks = ['https://bank.example', 'http://127.0.0.1:8090', 'http://bank.example'];

describe('the address a signed form goes to', () => {
  it.each(['https://bank.example/sis/realizarPago', 'http://127.0.0.1:8090/gateway_c/sis/realizarPago'])(
    'the address of a signed form may be %s, which the server named',
    (url) => expect(bankAddress(url, banks)).toBe(url),
  );

  it.each([
    ['another host', 'https://evil.example/sis/realizarPago'],
    ['one that begins alike', 'https://bank.example.evil.example/'],
    ['one with the bank as its user', 'https://bank.example@evil.example/'],
    ['another port', 'https://bank.example:8443/'],
    ['one without a lock', 'http://bank.example/'],
    ['a script', 'javascript:alert(1)'],
    ['no address', '/sis/realizarPago'],
  ])('the address of a signed form is never %s', (_, url) => expect(() => bankAddress(url, banks)).toThrow());

  it('the address of a signed form is none while the server has named no bank', () =>
    expect(() => bankAddress('https://bank.example/', [])).toThrow('https://bank.example is not a bank'));
});
