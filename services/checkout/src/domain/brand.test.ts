import { expect, it } from '@jest/globals';
import { toSupport } from './brand.ts';

it('payers may ask by each way that the merchant names (Q110)', () => {
  const email = 'hello@casalola.example';
  const url = 'https://casalola.example/help';
  expect(toSupport({ support_email: email, support_url: url })).toEqual({ email, url });
  expect(toSupport({ support_email: email, support_url: '' })).toEqual({ email });
  expect(toSupport({ support_email: '', support_url: url })).toEqual({ url });
  expect(toSupport({ support_email: '', support_url: '' })).toBeUndefined();
});

it.each([
  'javascript:alert(1)',
  'http://casalola.example',
  'casalola.example',
  'https://',
  '//casalola.example',
])('a stored page that is none of https is not shown: %j (Q110)', (support_url) =>
  expect(toSupport({ support_email: '', support_url })).toBeUndefined(),
);

it('a page whose name has letters of another script is written as browsers resolve it (Q110)', () => {
  expect(toSupport({ support_email: '', support_url: 'https://p\u0430yp\u0430l.example' })?.url).toMatch(
    /^https:\/\/xn--/,
  );
});
