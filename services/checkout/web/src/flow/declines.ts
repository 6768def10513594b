import type { ToldDeclineReason } from '../bootstrap.ts';
import type { Translate } from '../i18n/translate.ts';
import type { Reason } from '../net/next-step.ts';
import type { Notice } from '../state/model.ts';

type Shown = Extract<Notice, { kind: 'reason' }>['reason'];

const told: readonly Shown[] = [
  'insufficient_funds',
  'expired_card',
  'incorrect_number',
  'incorrect_expiry',
  'incorrect_cvc',
] satisfies ToldDeclineReason[];

/** Returns the reason that the page shows for a declined card: `why` if payers may read it, otherwise the general reason. */
export const findDecline = (why: string | null | undefined): Reason =>
  told.includes(why as Shown) ? (why as Reason) : 'declined';

/** Returns true for a decline with a reason. Hosts know it by the code of a plain one. */
export const isExplained = (reason: Shown): boolean => told.includes(reason);

/** Returns the sentence of a reason; that of a decline goes on to say what the payer can do. */
export const reasonText = (t: Translate, reason: Shown): string =>
  isExplained(reason) ? `${t(reason)} ${t('declined')}` : t(reason);
