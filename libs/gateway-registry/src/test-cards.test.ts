import { describe, expect, it } from '@jest/globals';
import { findManifest, pspCodes } from './index.ts';
import { APPROVED, CHALLENGED, declineFor, findCardBehaviours, listTestCards } from './test-cards.ts';

describe('a list of test cards', () => {
  const cards = listTestCards(
    [
      ['1', { ...CHALLENGED, decline: 'lost_card' }],
      ['2', APPROVED, '3-D Secure without a challenge'],
      ['3', { ...APPROVED, refund: 'fails_later' }],
      ['4', declineFor('insufficient_funds')],
      ['5', 'invalid_number'],
    ],
    ['a note'],
  );

  it('a list of test cards groups the cards and describes each by its behaviour', () => {
    const texts = (group: 'approved' | 'challenged' | 'declined') =>
      cards[group].map(({ number, outcome }) => `${number} ${outcome}`);
    expect(texts('approved')).toEqual([
      '2 3-D Secure without a challenge, approved',
      '3 approved; a refund fails later',
    ]);
    expect(texts('challenged')).toEqual(['1 3-D Secure, then declined: lost']);
    expect(texts('declined')).toEqual(['4 declined: insufficient funds', '5 no such number']);
    expect(cards.notes).toEqual(['a note']);
  });

  it('a list of test cards has a behaviour for every number that is a card', () => {
    expect([...findCardBehaviours(cards).keys()]).toEqual(['2', '3', '1', '4']);
  });
});

it.each(pspCodes)('the registry lists each test card of %s once', (code) => {
  const { approved, challenged, declined } = findManifest(code).testCards;
  const numbers = [...approved, ...challenged, ...declined].map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});
