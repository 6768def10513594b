import { expect, it } from '@jest/globals';
import type { ToldFailure } from '../../../../src/http/api.ts';
import { formatFailure } from './failure-words.ts';

const declined: ToldFailure = {
  code: 'card_declined',
  message: 'the card has insufficient funds',
  decline_reason: 'insufficient_funds',
};

it.each<[Partial<ToldFailure>, string]>([
  [{}, 'The card was declined: insufficient funds.'],
  [{ decline_reason: 'expired_card' }, 'The card was declined: it has expired.'],
  [{ decline_reason: null, message: 'the card was declined' }, 'The card was declined.'],
  [{ decline_reason: null, code: 'gateway_error', message: 'The bank is closed.' }, 'The bank is closed.'],
])('a failure with %j is told as: %s', (part, expected) => {
  expect(formatFailure({ ...declined, ...part })).toBe(expected);
});
