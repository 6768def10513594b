import { findLanguage, type MinimumWish, type Sentences } from '../../bootstrap.ts';
import { moneyFormat } from '../../money/money.ts';
import { minimumMessages } from './all.ts';
import { translator } from '../translate.ts';

/**
 * Returns the sentences of a page that differ for a group that is captured when its time runs out, with the minimum filled
 * in; other values stay to be filled in.
 */
export function writeMinimum(wish: MinimumWish): Sentences {
  const { locale, written_as, currency, fraction_digits, minimum } = wish;
  const { sentences, slots } = minimumMessages[findLanguage(locale)];
  const written =
    'slots' in minimum
      ? translator<'slots_one' | 'slots_other'>(locale, slots).many('slots', minimum.slots)
      : moneyFormat(written_as, currency, fraction_digits)(BigInt(minimum.amount_minor));
  return Object.fromEntries(
    Object.entries(sentences).map(([key, text]) => [key, text.replace('{minimum}', () => written)]),
  );
}
