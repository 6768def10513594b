import { APPROVED, type CardBehaviour, TEST_CARDS } from '@gp/psp-sandbox/kit';

const CHALLENGED: CardBehaviour = { ...APPROVED, isChallenged: true };
const DECLINED: CardBehaviour = { ...APPROVED, decline: 'generic_decline' };

/** The vendor's published test cards; the other gateways' numbers mean the same here as there. */
export const testCards: ReadonlyMap<string, CardBehaviour> = new Map([
  ['4548810000000003', APPROVED],
  // Its check digit is wrong, and it works all the same.
  ['5576570000000004', APPROVED],
  ['4548812049400004', CHALLENGED],
  ['4918019199883839', CHALLENGED],
  ['4918019160034602', APPROVED],
  ['4548817212493017', CHALLENGED],
  ['4548814479727229', APPROVED],
  ['4548816131164386', CHALLENGED],
  ['4548816134581156', APPROVED],
  ['5576440022788500', DECLINED],
  ['4907271141151707', { ...CHALLENGED, decline: 'generic_decline' }],
  ['4907277775205123', DECLINED],
  ['1111111111111117', DECLINED],
]);

/** Every test card that this bank knows. */
export const allCards: ReadonlyMap<string, CardBehaviour> = new Map([...TEST_CARDS, ...testCards]);

/** What the issuer has sent to the card holder's telephone. */
export const RIGHT_CODE = '123456';

/** In the test host these last two digits of an amount are denied, whatever the card. */
const DENIED_ENDINGS = new Set(['72', '73', '74', '96']);
/** So is this security code. */
const DENIED_CODE = '999';

/** The same for people. */
export const magicNotes: readonly string[] = [
  `3-D Secure asks for a code: ${RIGHT_CODE} is right, any other is wrong.`,
  `An amount whose last two digits are ${[...DENIED_ENDINGS].join(', ')} is denied, whatever the card.`,
  `So is the security code ${DENIED_CODE}.`,
  'A denied order is used up: another try is another order.',
];

export const isMagicDenial = (amountMinor: bigint, cvv: string): boolean =>
  cvv === DENIED_CODE || DENIED_ENDINGS.has(String(amountMinor).slice(-2));
