import { expect, it } from '@jest/globals';
import { DECLINE_REASONS, findDeclineReason } from '../index.ts';

const decline = (message: string, code = 'card_declined') => ({ code, message, retryable: false });

it('each sentence of a decline is one reason', () => {
  for (const [reason, sentence] of Object.entries(DECLINE_REASONS))
    expect(findDeclineReason(decline(sentence))).toBe(reason);
});

it('a decline with another sentence, another failure and no failure have no reason', () => {
  expect(findDeclineReason(decline('the card was declined'))).toBeNull();
  expect(findDeclineReason(decline(DECLINE_REASONS.expired_card, 'gateway_refused'))).toBeNull();
  expect(findDeclineReason(null)).toBeNull();
});
