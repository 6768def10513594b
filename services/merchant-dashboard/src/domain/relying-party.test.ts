import { expect, it } from '@jest/globals';
import { findRelyingParty } from './relying-party.ts';

it.each([
  ['https://dashboard.example', 'dashboard.example', 'https://dashboard.example'],
  ['https://pay.example:8443/', 'pay.example', 'https://pay.example:8443'],
  ['http://127.0.0.1:8082', 'localhost', 'http://localhost:8082'],
  ['http://[::1]:8082', 'localhost', 'http://localhost:8082'],
])('passkeys of the dashboard at %s belong to the host name %s (K13)', (url, id, origin) => {
  expect(findRelyingParty(url)).toEqual({ id, origin });
});
