import { describe, expect, it } from '@jest/globals';
import { redact, redactQuery, redactText } from './redact.ts';

const UUID = '40123456-1234-4123-8123-123456789012';

describe('a logged body', () => {
  it.each([
    ['a webhook secret', { secret: 'whsec_abc' }],
    ['a session token', { token: 'eyJhbGciOi' }],
    ['what a card form is given', { client_secret: 'pi_1', publishable_key: 'pk_1' }],
    ['a card, whatever is in it', { card: { number: [4, 2], cardholder_name: 'Ada' } }],
    ['a card number under a name of its own', { Card_Number: 'x', cvc: 1, PAN: 'y' }],
    ['a payer', { customer_email: 'ana', customer_name: 'Ana Lima', shown_name: 'Ana Lima' }],
    ['the time zone of a payer', { time_zone: 'Antarctica/Troll' }],
    ['an organiser’s link', { group: { organiser_url: 'https://pay.example/o/abc' } }],
    ['a checkout link', { group: { checkout_url: 'https://pay.example/c/abc' } }],
  ])('%s is replaced by its name (Q41)', (_what, body) => {
    const text = JSON.stringify(redact(body));
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/whsec|eyJ|pi_1|pk_1|Ada|"x"|"y"|:1|4,2|ana"|Lima|Troll|\/c\/abc/);
  });

  it.each([
    ['an e-mail address', 'write to ana@example.com'],
    ['a secret key', 'sk_test_0123456789abcdef0123456789abcdef012345'],
    ['a card number', '4242424242424242'],
    ['a card number beside a word', 'card5555555555554444visa'],
    ['a card number with spaces', 'card 4242 4242 4242 4242 please'],
    ['a card number with dashes', '5555-5555-5555-4444'],
    ['a card number that begins with 2, with spaces', '2720 9921 1127 0002'],
    ['a ciphertext', 'ev:QkTC:abc:def:$'],
  ])('%s is masked in any field, as a value and as a name (Q41)', (_what, text) => {
    const logged = JSON.stringify(redact({ metadata: { note: text, list: [text], [text]: 1 } }));
    expect(logged).not.toContain(text);
    expect(logged.match(/\[masked\]/g)).toHaveLength(3);
  });

  it('a card number that is a number is masked, and amounts, ids and flags stay as they are (Q41)', () => {
    expect(redact({ a: 4242424242424242 })).toEqual({ a: '[masked]' });
    const body = { id: UUID, amount: 10.5, is_test_mode: true, next: null, state: 'paid', ids: [UUID] };
    expect(redact(body)).toEqual(body);
  });

  it('an id in a path stays, whatever digits it has, and a card number beside it is masked (Q40, Q41)', () => {
    const path = `/v1/group-payments/${UUID}/payments`;
    expect(redactText(path)).toBe(path);
    expect(redactText(`${UUID} 5555-5555-5555-4444`)).toBe(`${UUID} [masked]`);
    const body = { error: { code: 'not_found', request_id: 'req_4f5234567890123e54ad4441' } };
    expect(redact(body)).toEqual(body);
    expect(redactText('req_4f5234567890123e54ad4441 paid 4242424242424242')).toBe(
      'req_4f5234567890123e54ad4441 paid [masked]',
    );
  });

  it('a body that is nested without end is cut, and a long text is shortened', () => {
    const deep = JSON.parse('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)) as unknown;
    expect(JSON.stringify(redact(deep))).toMatch(/^(\{"a":){12}"\[redacted\]"\}{12}$/);
    expect(redactText('x'.repeat(10_000)).length).toBeLessThan(300);
    expect(redactText('a\0b\uD800')).toBe('ab\uFFFD');
  });
});

it('a logged query has its filters, and no payer (Q41)', () => {
  expect(
    redactQuery('state=paid&customer_email=ana%40example.com&metadata[to]=ana%40example.com&x=%ff'),
  ).toBe(
    new URLSearchParams({
      state: 'paid',
      customer_email: '[redacted]',
      'metadata[to]': '[masked]',
      x: '\uFFFD',
    }).toString(),
  );
  expect(redactQuery('')).toBe('');
  expect(redactQuery(`a=${'b'.repeat(200)}&`.repeat(100)).length).toBe(1_000);
});
