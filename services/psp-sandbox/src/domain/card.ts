import {
  APPROVED,
  COMMON_TEST_CARDS,
  findCardBehaviours,
  type CardBehaviour,
  type TestCard,
  type TestCards,
} from '@gp/gateway-registry';
import { findBrand, hasCheckDigit } from './card-number.ts';
import type { CardFace } from './payment.ts';

const COMMON = findCardBehaviours(COMMON_TEST_CARDS);

/** Lists every test card that the sandbox knows at a gateway: the common ones, then those of its manifest. */
export function listKnownCards(own: TestCards): readonly TestCard[] {
  const all = [COMMON_TEST_CARDS, own].flatMap(({ approved, challenged, declined }) => [
    ...approved,
    ...challenged,
    ...declined,
  ]);
  return [...new Map(all.map((card) => [card.number, card])).values()];
}

/** A card for the duration of one request. The number never leaves the function that receives it. */
export type CardInput = { number: string; expMonth: number; expYear: number; cvc: string | undefined };

export type CardFault = 'number' | 'expiry' | 'cvc';

export type ReadCard =
  | { readonly ok: true; readonly face: CardFace; readonly behaviour: CardBehaviour }
  | { readonly ok: false; readonly fault: CardFault };

/**
 * Parses a card: its behaviour, and of its number only the brand and the last four digits. `own` are the test
 * numbers that only this gateway has, valid whatever their check digit. Any other number with a right check digit
 * is approved.
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
  const face = { brand: findBrand(number), last4: number.slice(-4) };
  return { ok: true, face, behaviour: own.get(number) ?? COMMON.get(number) ?? APPROVED };
}

function isCurrent({ expMonth, expYear }: CardInput, now: Date): boolean {
  if (!Number.isInteger(expMonth) || expMonth < 1 || expMonth > 12) return false;
  if (!Number.isInteger(expYear) || expYear > 2100) return false;
  return expYear * 12 + expMonth >= now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
}
