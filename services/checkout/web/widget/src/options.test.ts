import { describe, expect, it } from '@jest/globals';
import { assertOptions, parseSession } from './options.ts';

const createSession = () => Promise.resolve({ token: 't', groupPaymentId: 'g' });
const id = '0198c0de-0000-7000-8000-000000000001';

describe('options of the factory', () => {
  it.each([
    { createSession },
    { createSession, payerEmail: 'ana@example.com', theme: { accentColor: '#0a7' } },
    { createSession, locale: 'en-GB' },
    { createSession, locale: 'tlh' },
    { createSession, locale: undefined },
    {
      createSession,
      payerEmail: undefined,
      theme: { accentColor: '#00AA77' },
      onComplete() {},
      onError() {},
    },
  ])('the options of the factory may be %j', (options) => expect(() => assertOptions(options)).not.toThrow());

  it.each([
    [undefined, 'options must be an object'],
    [null, 'options must be an object'],
    ['#pay', 'options must be an object'],
    [{}, 'createSession is required'],
    [{ createSession: 'https://shop.example' }, 'createSession must be a function'],
    [{ createSession, payerEmail: 'ana' }, 'payerEmail must be an e-mail address'],
    [{ createSession, payerEmail: 7 }, 'payerEmail must be an e-mail address'],
    [{ createSession, locale: 7 }, 'locale must be a language such as nl or en-GB'],
    [{ createSession, locale: '' }, 'locale must be a language such as nl or en-GB'],
    [{ createSession, theme: 'dark' }, 'theme must be an object'],
    [{ createSession, theme: { accentColor: 'red' } }, 'theme.accentColor must be a colour'],
    [{ createSession, theme: { accentColor: '#12345' } }, 'theme.accentColor must be a colour'],
    [{ createSession, theme: { accentColor: '#000;background:url(//evil)' } }, 'theme.accentColor must be'],
    [{ createSession, theme: { accentColor: '#000\n' } }, 'theme.accentColor must be'],
    [{ createSession, theme: { accentColour: '#000' } }, 'theme.accentColour is not an option'],
    [{ createSession, theme: { css: 'body{}' } }, 'theme.css is not an option'],
    [{ createSession, onDone() {} }, 'onDone is not an option'],
    [{ createSession, onError: {} }, 'onError must be a function'],
    [JSON.parse('{"__proto__": 1, "createSession": 1}'), '__proto__ is not an option'],
    [{ createSession, toString: 1 }, 'toString is not an option'],
  ])('the options of the factory %j are refused by name', (options: unknown, reason) => {
    const refused = () => assertOptions(options);
    expect(refused).toThrow(TypeError);
    expect(refused).toThrow(`ServiceGroupPay: ${reason}`);
  });
});

describe('what a merchant’s backend gives', () => {
  it.each([
    { token: 't', groupPaymentId: id },
    { token: 't', group_payment_id: id, expires_in: 1_800 },
  ])('a session from a merchant’s backend may have its own names or those of the API: %j', (given) =>
    expect(parseSession(given)).toEqual({ token: 't', groupPaymentId: id }),
  );

  it.each([
    [undefined, 'no token'],
    [{ groupPaymentId: id }, 'no token'],
    [{ token: '', groupPaymentId: id }, 'no token'],
    [{ token: 't' }, 'no groupPaymentId'],
    [{ token: 't', groupPaymentId: '../../evil' }, 'no groupPaymentId'],
    ['<!doctype html>', 'no token'],
  ])('a merchant’s value is not a session when it is %j', (given: unknown, reason) =>
    expect(() => parseSession(given)).toThrow(`createSession gave ${reason}`),
  );
});
