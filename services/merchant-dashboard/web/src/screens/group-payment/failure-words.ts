import type { ToldFailure } from '../../../../src/http/api.ts';

const REASONS: Readonly<Record<NonNullable<ToldFailure['decline_reason']>, string>> = {
  insufficient_funds: 'insufficient funds',
  expired_card: 'it has expired',
  incorrect_number: 'its number is incorrect',
  incorrect_expiry: 'its expiry date is incorrect',
  incorrect_cvc: 'its security code is incorrect',
};

/** Returns why a payment failed as a sentence: `The card was declined: insufficient funds.` */
export function formatFailure({ message, decline_reason }: ToldFailure): string {
  if (decline_reason !== null) return `The card was declined: ${REASONS[decline_reason]}.`;
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return text.endsWith('.') ? text : `${text}.`;
}
