import type { Failure } from '../common.ts';

/**
 * Why a card was declined, where a payer may be told, with the sentence of a `card_declined` that reports it. Lost, stolen
 * and suspected fraud are not here: a thief would learn from them.
 */
export const DECLINE_REASONS = {
  insufficient_funds: 'the card has insufficient funds',
  expired_card: 'the card has expired',
  incorrect_number: 'the card number is incorrect',
  incorrect_expiry: "the card's expiry date is incorrect",
  incorrect_cvc: "the card's security code is incorrect",
} as const;
export type ToldDeclineReason = keyof typeof DECLINE_REASONS;

const known = Object.entries(DECLINE_REASONS) as [ToldDeclineReason, string][];

/** Returns why a card was declined; null for a reason that is unknown or not told, and for any other failure. */
export function findDeclineReason(failure: Failure | null): ToldDeclineReason | null {
  if (failure?.code !== 'card_declined') return null;
  return known.find(([, sentence]) => sentence === failure.message)?.[0] ?? null;
}
