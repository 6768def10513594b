import { expect, it } from '@jest/globals';
import { listContacts } from './support.ts';

it('a merchant who names nobody has no contacts', () => {
  expect([listContacts(), listContacts({})]).toEqual([[], []]);
});

it('the text of a contact says where its link leads, and the address comes before the page (Q110)', () => {
  const support = { email: 'hello@casalola.example', url: 'https://casalola.example/help/' };
  expect(listContacts(support)).toEqual([
    { href: 'mailto:hello@casalola.example', text: 'hello@casalola.example' },
    { href: 'https://casalola.example/help/', text: 'casalola.example/help' },
  ]);
});

it.each([
  ['a?bcc=eve@casalola.example', 'mailto:a%3Fbcc%3Deve@casalola.example'],
  ['a&body=x@casalola.example', 'mailto:a%26body%3Dx@casalola.example'],
])('the address %s begins no field of a mail (Q110)', (email, href) => {
  expect(listContacts({ email })).toEqual([{ href, text: email }]);
});

it.each(['javascript:alert(1)', 'http://casalola.example', 'data:text/html,x', 'casalola.example', ''])(
  'an address that is no page of https is no contact: %j (Q110)',
  (url) => expect(listContacts({ url })).toEqual([]),
);
