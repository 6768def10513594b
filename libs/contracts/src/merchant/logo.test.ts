import { expect, it } from '@jest/globals';
import { findLogoEnding, findLogoType, LOGO_TYPES } from './logo.ts';

const hash = '0123456789'.repeat(4);

it('the name of a logo says what kind of picture it is', () => {
  for (const type of Object.values(LOGO_TYPES))
    expect(findLogoType(`${hash}.${findLogoEnding(type)}`)).toBe(type);
});

it.each([
  '',
  hash,
  `${hash}.svg`,
  `${hash}.png.html`,
  `${hash}.png\n`,
  `${hash.toUpperCase()}A.png`,
  `${hash.slice(1)}.png`,
  `../${hash}.png`,
  `${hash}/.png`,
  `${hash}.constructor`,
  '__proto__',
])('no logo has the name %j', (name) => {
  expect(findLogoType(name)).toBeUndefined();
});
