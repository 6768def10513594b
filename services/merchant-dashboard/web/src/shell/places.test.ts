import { describe, expect, it } from '@jest/globals';
import { inMode, loginPath, placeAfterLogin } from './places.ts';

describe('after the login', () => {
  it('a user is back where the session ended after the login', () => {
    const place = '/test/group-payments?state=paid';
    const { search } = new URL(loginPath(place), 'https://dashboard.example');
    expect(placeAfterLogin(search)).toBe(place);
  });

  it.each([
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/a\\b',
    '',
    'x',
    '/login?next=/test',
  ])('a link with next=%j leads to the home page', (next) =>
    expect(placeAfterLogin(`?next=${encodeURIComponent(next)}`)).toBe('/'),
  );
});

it('the other mode shows the same screen, never a detail or a filter of this one', () => {
  expect(inMode('/test/group-payments/0198c0de', 'live')).toBe('/live/group-payments');
  expect(inMode('/live', 'test')).toBe('/test');
});
