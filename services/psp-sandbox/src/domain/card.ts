import { brandOf, hasCheckDigit } from './card-number.ts';
import type { CardFace } from './payment.ts';

/** Why a test card is refused, in the platform's words; each gateway has its own codes for them. */
export type DeclineReason =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'card_velocity_exceeded'
  | 'authentication_failed';

/** How a card behaves: the 3-D Secure question first, then the issuer's answer, then its refunds. */
export type CardBehaviour = {
  readonly isChallenged: boolean;
  readonly decline: DeclineReason | null;
  readonly refund: 'at_once' | 'later' | 'fails_later';
};

export const APPROVED: CardBehaviour = { isChallenged: false, decline: null, refund: 'at_once' };
const CHALLENGED: CardBehaviour = { ...APPROVED, isChallenged: true };
const declined = (decline: DeclineReason): CardBehaviour => ({ ...APPROVED, decline });

/** The field's well-known test numbers; every other number with a right check digit is approved as well. */
export const TEST_CARDS: ReadonlyMap<string, CardBehaviour> = new Map([
  ['4242424242424242', APPROVED],
  ['5555555555554444', APPROVED],
  ['378282246310005', APPROVED],
  ['4000002500003155', CHALLENGED],
  ['4000002760003184', CHALLENGED],
  ['4000000000003220', CHALLENGED],
  ['4000000000003063', CHALLENGED],
  ['4000008400001629', { ...CHALLENGED, decline: 'generic_decline' }],
  ['4000008260003178', { ...CHALLENGED, decline: 'insufficient_funds' }],
  ['4000008400001280', declined('processing_error')],
  ['4000000000000002', declined('generic_decline')],
  ['4000000000009995', declined('insufficient_funds')],
  ['4000000000009987', declined('lost_card')],
  ['4000000000009979', declined('stolen_card')],
  ['4000000000000069', declined('expired_card')],
  ['4000000000000127', declined('incorrect_cvc')],
  ['4000000000000119', declined('processing_error')],
  ['4000000000006975', declined('card_velocity_exceeded')],
  ['4000000000000341', declined('generic_decline')],
  ['4000000000007726', { ...APPROVED, refund: 'later' }],
  ['4000000000005126', { ...APPROVED, refund: 'fails_later' }],
]);

const DECLINES: Readonly<Record<DeclineReason, string>> = {
  generic_decline: 'declined',
  insufficient_funds: 'declined: insufficient funds',
  lost_card: 'declined: reported lost',
  stolen_card: 'declined: reported stolen',
  expired_card: 'declined: the card has expired',
  incorrect_cvc: 'declined: wrong security code',
  processing_error: 'declined: processing error',
  card_velocity_exceeded: 'declined: used too often',
  authentication_failed: 'declined: the holder was not authenticated',
};

const REFUNDS: Readonly<Record<CardBehaviour['refund'], string>> = {
  at_once: '',
  later: '; a refund succeeds later',
  fails_later: '; a refund fails later',
};

/** What a card does, for people. */
export function behaviourText({ isChallenged, decline, refund }: CardBehaviour): string {
  const end = (decline === null ? 'approved' : DECLINES[decline]) + REFUNDS[refund];
  return isChallenged ? `3-D Secure, then ${end}` : end.charAt(0).toUpperCase() + end.slice(1);
}

/** A card for the length of one request. The number never leaves the function that was given it. */
export type CardInput = { number: string; expMonth: number; expYear: number; cvc: string | undefined };

export type CardFault = 'number' | 'expiry' | 'cvc';

export type ReadCard =
  | { readonly ok: true; readonly face: CardFace; readonly behaviour: CardBehaviour }
  | { readonly ok: false; readonly fault: CardFault };

/**
 * Tells what a card will do and keeps of it only brand and last four digits. `own`: the test numbers a gateway has of
 * its own; they count whatever their check digit.
 */
export function readCard(
  input: CardInput,
  now: Date,
  own: ReadonlyMap<string, CardBehaviour> = new Map(),
): ReadCard {
  const number = input.number.replace(/[ -]/g, '');
  const isCard = /^\d{13,19}$/.test(number) && (own.has(number) || hasCheckDigit(number));
  if (!isCard) return { ok: false, fault: 'number' };
  if (!isCurrent(input, now)) return { ok: false, fault: 'expiry' };
  if (input.cvc !== undefined && !/^\d{3,4}$/.test(input.cvc)) return { ok: false, fault: 'cvc' };
  const face = { brand: brandOf(number), last4: number.slice(-4) };
  return { ok: true, face, behaviour: own.get(number) ?? TEST_CARDS.get(number) ?? APPROVED };
}

function isCurrent({ expMonth, expYear }: CardInput, now: Date): boolean {
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) return false;
  if (!Number.isInteger(expYear) || expYear > 2100) return false;
  return expYear * 12 + expMonth >= now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
}
