import { describe, expect, it } from '@jest/globals';
import { PAYER_CARDS } from '@gp/contracts';
import { readCard } from './card.ts';
import { findTestPayer } from './payer.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

const readPlayed = (name: (typeof PAYER_CARDS)[number]) => {
  const { card, isAuthentic } = findTestPayer(name, NOW);
  const { number, expiryMonth, expiryYear, securityCode: cvc } = card;
  const read = readCard({ number, expMonth: Number(expiryMonth), expYear: Number(expiryYear), cvc }, NOW);
  return read.ok ? { ...read.behaviour, isAuthentic } : read.fault;
};

describe('the card of a played payer', () => {
  it('every named card is one that the sandbox takes, and behaves as its name says (Q73)', () => {
    const behaviours = Object.fromEntries(PAYER_CARDS.map((name) => [name, readPlayed(name)]));
    const card = { isChallenged: false, decline: null, refund: 'at_once', isAuthentic: true };
    expect(behaviours).toEqual({
      approved: card,
      authenticated: { ...card, isChallenged: true },
      authentication_failed: { ...card, isChallenged: true, isAuthentic: false },
      declined: { ...card, decline: 'generic_decline' },
      insufficient_funds: { ...card, decline: 'insufficient_funds' },
      expired_card: { ...card, decline: 'expired_card' },
      incorrect_cvc: { ...card, decline: 'incorrect_cvc' },
      lost_card: { ...card, decline: 'lost_card' },
      stolen_card: { ...card, decline: 'stolen_card' },
      processing_error: { ...card, decline: 'processing_error' },
    });
  });
});
