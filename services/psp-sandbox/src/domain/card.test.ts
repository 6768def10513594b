import { describe, expect, it } from '@jest/globals';
import { readCard } from './card.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const card = (number: string, more: object = {}) =>
  readCard({ number, expMonth: 12, expYear: 2030, cvc: '123', ...more }, NOW);

describe('a test card', () => {
  it('a test card is approved when its number is unknown but has a right check digit', () => {
    expect(card('4242 4242 4242 4242')).toEqual({
      ok: true,
      face: { brand: 'visa', last4: '4242' },
      behaviour: { isChallenged: false, decline: null, refund: 'at_once' },
    });
  });

  it.each([
    ['4000000000009995', false, 'insufficient_funds'],
    ['4000000000000341', false, 'generic_decline'],
    ['4000002760003184', true, null],
    ['4000008260003178', true, 'insufficient_funds'],
  ])('the test card %s has its documented behaviour', (number, isChallenged, decline) => {
    expect(card(number)).toMatchObject({ behaviour: { isChallenged, decline } });
  });

  it.each([
    ['a wrong check digit', '4242424242424241', {}, 'number'],
    ['letters', '4242abcd', {}, 'number'],
    ['nothing', '', {}, 'number'],
    ['a month that is over', '4242424242424242', { expMonth: 10, expYear: 2026 }, 'expiry'],
    ['a thirteenth month', '4242424242424242', { expMonth: 13 }, 'expiry'],
    ['a year that is no number', '4242424242424242', { expYear: NaN }, 'expiry'],
    ['a two-digit code', '4242424242424242', { cvc: '12' }, 'cvc'],
  ])('a test card is refused for %s', (_why, number, more, fault) => {
    expect(card(number, more)).toEqual({ ok: false, fault });
  });

  it('a test card is valid until the end of its last month', () => {
    expect(card('4242424242424242', { expMonth: 11, expYear: 2026 })).toMatchObject({ ok: true });
  });

  it('a test card keeps nothing of its number but the last four digits', () => {
    expect(JSON.stringify(card('5555555555554444'))).not.toContain('55555555');
  });
});
