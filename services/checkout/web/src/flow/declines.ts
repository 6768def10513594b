import type { ToldDeclineReason } from '../bootstrap.ts';
import type { Translate } from '../i18n/translate.ts';
import type { Notice } from '../state/model.ts';

type Reason = Extract<Notice, { kind: 'reason' }>['reason'];

const declines = {
  insufficient_funds: 'noFunds',
  expired_card: 'cardExpired',
  incorrect_number: 'wrongNumber',
  incorrect_expiry: 'wrongExpiry',
  incorrect_cvc: 'wrongCode',
} as const satisfies Record<ToldDeclineReason, Reason>;
export type DeclineReason = 'declined' | (typeof declines)[ToldDeclineReason];

/** Returns the reason to show for a declined card: the plain one unless a more precise one is known. */
export const findDecline = (why: ToldDeclineReason | null | undefined): DeclineReason =>
  why && why in declines ? declines[why] : 'declined';

const known: readonly Reason[] = Object.values(declines);

/** Returns true for a decline with a reason. Hosts know it by the code of a plain one. */
export const isExplained = (reason: Reason): boolean => known.includes(reason);

/** Returns the sentence of a reason; that of a decline goes on to say what the payer can do. */
export const reasonText = (t: Translate, reason: Reason): string =>
  isExplained(reason) ? `${t(reason)} ${t('declined')}` : t(reason);
