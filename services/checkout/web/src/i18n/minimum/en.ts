import type { Sentences } from '../en.ts';

/** How a group ended of which the minimum was reached and every capture worked; no other group ends so. */
type ReachedMessages = Readonly<Record<'reachedTitle' | 'reachedText', string>>;

/**
 * The sentences of the page that differ where what is held is captured when time runs out. They contain the minimum as
 * `{minimum}`; `slots` writes one that is a number of shares.
 */
export type MinimumMessages = {
  readonly sentences: Required<
    Pick<
      Sentences,
      | 'promise'
      | 'how3'
      | 'payNote'
      | 'doneText'
      | 'chargingTitle'
      | 'chargingText'
      | 'shortTitle'
      | 'shortText'
      | 'expiredText'
    >
  > &
    ReachedMessages;
  readonly slots: {
    readonly slots_one: string;
    readonly slots_few?: string;
    readonly slots_other: string;
  };
};

const messages = {
  sentences: {
    promise:
      'Cards are charged once everyone has paid, or when time runs out and the minimum is reached: {minimum}.',
    how3: 'If time runs out first and the minimum is reached ({minimum}), what was paid is charged. Otherwise every hold is released and nobody pays anything.',
    payNote:
      'Held now, charged once everyone has paid, or when time runs out and the minimum is reached ({minimum}).',
    doneText:
      '{amount} is held on your card. It is charged once every share is held, or when time runs out and the minimum is reached ({minimum}); otherwise it is released.',
    chargingTitle: 'Being charged',
    chargingText: 'The shares that are held are being charged now.',
    shortTitle: 'Partly paid',
    shortText:
      'Some shares have been charged. The others were not paid in time or could not be charged. The merchant can see this and decides what happens next.',
    reachedTitle: 'The minimum was reached',
    reachedText:
      'The minimum ({minimum}) was reached in time, and the shares that were paid have been charged.',
    expiredText:
      'When time ran out, what could be charged did not reach the minimum ({minimum}), so nobody is charged.',
  },
  slots: { slots_one: '{n} share', slots_other: '{n} shares' },
};
export default messages satisfies MinimumMessages;
