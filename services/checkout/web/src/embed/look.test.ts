import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseLook } from './look.ts';

let logged: unknown[];
beforeEach(() => {
  logged = [];
  jest.spyOn(console, 'error').mockImplementation((message: unknown) => void logged.push(message));
});
afterEach(() => void jest.restoreAllMocks());

describe('the theme that the frame receives', () => {
  it.each([
    ['nothing', undefined, {}],
    ['text', 'dark', {}],
    ['null', null, {}],
    ['the accent alone', { accentColor: '#0a7', pageScheme: 'dark' }, {}],
    ['a scheme', { colorScheme: 'dark', pageScheme: 'light' }, { scheme: 'dark' }],
    ['the scheme of a dark page', { colorScheme: 'auto', pageScheme: 'dark' }, { scheme: 'dark' }],
    ['the scheme of a light page', { colorScheme: 'auto', pageScheme: 'light only' }, { scheme: 'light' }],
    ['the scheme of a page with both', { colorScheme: 'auto', pageScheme: 'light dark' }, {}],
    ['the scheme of a page with none', { colorScheme: 'auto', pageScheme: 'normal' }, {}],
    ['a short colour', { background: '#0A7' }, { background: [0, 170, 119] }],
    ['three numbers', { background: 'RGB(1, 20,255)' }, { background: [1, 20, 255] }],
    ['a radius of an attribute', { radius: '0' }, { radiusPx: 0 }],
    ['the font of the system', { font: 'system' }, {}],
  ])('the theme that the frame receives may be %s (Q104)', (_, theme, look) => {
    expect(parseLook(theme)).toEqual(look);
    expect(logged).toEqual([]);
  });

  it.each(['white', 'black', 'ivory', 'navy', 'Navy'])(
    'the theme that the frame receives may have the background %s (Q104)',
    (background) => expect(parseLook({ background }).background).toHaveLength(3),
  );

  it.each(['sans-serif', 'serif', 'monospace', 'rounded'])(
    'the theme that the frame receives may have the font %s (Q104)',
    (font) => expect(parseLook({ font }).font).toMatch(/, (sans-serif|serif|monospace)$/),
  );

  it('the theme that the frame receives is checked again: wrong values are left out and named (Q104)', () => {
    const theme = {
      colorScheme: 'dark;',
      background: 'url(//evil.example)',
      radius: '4px;color:red',
      font: 'x;src:url(//evil.example)',
      more: 1,
      pageScheme: ['dark', 'x'],
    };
    expect(parseLook(theme)).toEqual({});
    const names = ['colorScheme', 'background', 'radius', 'font'];
    expect(logged).toEqual(
      names.map((name) => expect.stringContaining(`ServiceGroupPay: theme.${name} must be`)),
    );
  });
});
