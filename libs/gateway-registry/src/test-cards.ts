import type { CardBehaviour, DeclineReason, TestCard, TestCards } from './manifest-type.ts';

/** A number that no gateway takes for a card. */
export const INVALID_NUMBER = 'invalid_number';

export const APPROVED: CardBehaviour = { isChallenged: false, decline: null, refund: 'at_once' };
export const CHALLENGED: CardBehaviour = { ...APPROVED, isChallenged: true };

/** The behaviour of a card that the issuer declines, without 3-D Secure. */
export const declineFor = (decline: DeclineReason): CardBehaviour => ({ ...APPROVED, decline });

/** A card in a manifest: the number, the behaviour, and how it comes about where that is not usual. */
export type SpecifiedCard = readonly [
  number: string,
  behaviour: TestCard['behaviour'],
  circumstance?: string,
];

/** Lists test cards with the text of each behaviour. */
export function listTestCards(cards: readonly SpecifiedCard[], notes: readonly string[]): TestCards {
  const listed = cards.map(([number, behaviour, circumstance]): TestCard => {
    const outcome = describeBehaviour(behaviour);
    return { number, behaviour, outcome: circumstance ? `${circumstance}, ${outcome}` : outcome };
  });
  const ofGroup = (group: CardGroup) => listed.filter(({ behaviour }) => classifyCard(behaviour) === group);
  return {
    approved: ofGroup('approved'),
    challenged: ofGroup('challenged'),
    declined: ofGroup('declined'),
    notes,
  };
}

/** The behaviour of each card of a list, by number; numbers that are no cards are left out. */
export function findCardBehaviours({
  approved,
  challenged,
  declined,
}: TestCards): ReadonlyMap<string, CardBehaviour> {
  return new Map(
    [...approved, ...challenged, ...declined].flatMap(({ number, behaviour }) =>
      behaviour === INVALID_NUMBER ? [] : [[number, behaviour] as const],
    ),
  );
}

type CardGroup = 'approved' | 'challenged' | 'declined';

function classifyCard(behaviour: TestCard['behaviour']): CardGroup {
  if (behaviour === INVALID_NUMBER) return 'declined';
  if (behaviour.isChallenged) return 'challenged';
  return behaviour.decline === null ? 'approved' : 'declined';
}

const DECLINES: Readonly<Record<DeclineReason, string>> = {
  generic_decline: 'declined',
  insufficient_funds: 'declined: insufficient funds',
  lost_card: 'declined: lost',
  stolen_card: 'declined: stolen',
  expired_card: 'declined: expired',
  incorrect_cvc: 'declined: wrong security code',
  processing_error: 'declined: processing error',
  card_velocity_exceeded: 'declined: too many tries',
  authentication_failed: 'declined: not authenticated',
};

const REFUNDS: Readonly<Record<CardBehaviour['refund'], string>> = {
  at_once: '',
  later: '; a refund succeeds later',
  fails_later: '; a refund fails later',
};

function describeBehaviour(behaviour: TestCard['behaviour']): string {
  if (behaviour === INVALID_NUMBER) return 'no such number';
  const { isChallenged, decline, refund } = behaviour;
  const end = (decline === null ? 'approved' : DECLINES[decline]) + REFUNDS[refund];
  return isChallenged ? `3-D Secure, then ${end}` : end;
}
