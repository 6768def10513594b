import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseOptions, parseSession } from './options.ts';

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
  ])('the options of the factory may be %j', (options) => expect(() => parseOptions(options)).not.toThrow());

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
    const refused = () => parseOptions(options);
    expect(refused).toThrow(TypeError);
    expect(refused).toThrow(`ServiceGroupPay: ${reason}`);
  });
});

describe('the look that a page wishes', () => {
  let logged: string[];
  beforeEach(() => {
    logged = [];
    jest.spyOn(console, 'error').mockImplementation((message: unknown) => void logged.push(String(message)));
  });
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['colorScheme', 'light'],
    ['colorScheme', 'dark'],
    ['colorScheme', 'auto'],
    ['background', '#FFF'],
    ['background', '#f6f1e7'],
    ['background', 'rgb(0, 17, 255)'],
    ['background', 'rgb(0,17,255)'],
    ['background', 'Ivory'],
    ['radius', 0],
    ['radius', 24],
    ['radius', '12'],
    ['font', 'system'],
    ['font', 'sans-serif'],
  ])('the look that a page wishes may have %s %j (Q104)', (name, value) => {
    expect(parseOptions({ createSession, theme: { [name]: value } }).theme).toEqual({ [name]: value });
    expect(logged).toEqual([]);
  });

  it.each([
    ['colorScheme', 'dim', 'light|dark|auto'],
    ['colorScheme', true, 'light|dark|auto'],
    ['colorScheme', ['dark'], 'light|dark|auto'],
    ['background', 'red', 'a colour'],
    ['background', '#12345', 'a colour'],
    ['background', '#ffffff80', 'a colour'],
    ['background', 'rgb(0, 0, 256)', 'a colour'],
    ['background', 'rgb(0, 0)', 'a colour'],
    ['background', 'rgb(0, 0, 0, 0)', 'a colour'],
    ['background', 'rgb(0, 0, 0, )', 'a colour'],
    ['background', 'rgb(var(--x))', 'a colour'],
    ['background', 'url(//evil.example)', 'a colour'],
    ['background', '#fff;color:red', 'a colour'],
    ['background', '#fff\n', 'a colour'],
    ['background', 7, 'a colour'],
    ['radius', -1, '0 to 24'],
    ['radius', 25, '0 to 24'],
    ['radius', 1.5, '0 to 24'],
    ['radius', Number.NaN, '0 to 24'],
    ['radius', '4px', '0 to 24'],
    ['radius', '', '0 to 24'],
    ['radius', null, '0 to 24'],
    ['font', 'Comic Sans', 'system|sans-serif|serif|monospace|rounded'],
    ['font', 'serif;x', 'system|sans-serif|serif|monospace|rounded'],
    ['font', 'constructor', 'system|sans-serif|serif|monospace|rounded'],
  ])(
    'the look that a page wishes leaves %s %j out, and an error on the console names it (Q104)',
    (name, value, what) => {
      const theme = { accentColor: '#0a7', [name]: value };
      expect(parseOptions({ createSession, theme }).theme).toEqual({ accentColor: '#0a7' });
      expect(logged).toEqual([expect.stringContaining(`ServiceGroupPay: theme.${name} must be ${what}`)]);
    },
  );
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
