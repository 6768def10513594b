import type { PayerCard } from '@gp/contracts';
import {
  APPROVED,
  COMMON_TEST_CARDS,
  findCardBehaviours,
  type CardBehaviour,
  type DeclineReason,
} from '@gp/gateway-registry';

/** What a payer types into a card form, as text. */
export type TestCardInput = {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly securityCode: string;
};

/** A card and its owner: `isAuthentic` says whether the owner passes 3-D Secure. */
export type TestPayer = { readonly card: TestCardInput; readonly isAuthentic: boolean };

const CHALLENGED: CardBehaviour = { ...APPROVED, isChallenged: true };
const declined = (decline: DeclineReason): CardBehaviour => ({ ...APPROVED, decline });

const BEHAVIOURS: Readonly<Record<PayerCard, CardBehaviour>> = {
  approved: APPROVED,
  authenticated: CHALLENGED,
  authentication_failed: CHALLENGED,
  declined: declined('generic_decline'),
  insufficient_funds: declined('insufficient_funds'),
  expired_card: declined('expired_card'),
  incorrect_cvc: declined('incorrect_cvc'),
  lost_card: declined('lost_card'),
  stolen_card: declined('stolen_card'),
  processing_error: declined('processing_error'),
};

const KNOWN = [...findCardBehaviours(COMMON_TEST_CARDS)];

/** Returns the payer whose card has this name: one of the cards that every gateway of the sandbox takes. */
export function findTestPayer(name: PayerCard, now: Date): TestPayer {
  const wanted = BEHAVIOURS[name];
  const number = KNOWN.find(([, behaviour]) => isSameBehaviour(behaviour, wanted))?.[0];
  if (number === undefined) throw new Error(`no test card behaves as ${name}`);
  const card = {
    number,
    expiryMonth: '12',
    expiryYear: String(now.getUTCFullYear() + 5),
    securityCode: '123',
  };
  return { card, isAuthentic: name !== 'authentication_failed' };
}

const isSameBehaviour = (one: CardBehaviour, other: CardBehaviour): boolean =>
  one.isChallenged === other.isChallenged && one.decline === other.decline && one.refund === other.refund;
