import type { Translate } from '../i18n/translate.ts';
import type { GroupModel } from '../state/group-model.ts';

/** Returns how many shares are in; empty for a bill of one share, of which its state and the amounts say it. */
export const writeProgress = (
  t: Translate,
  { slots, secured }: Pick<GroupModel, 'slots' | 'secured'>,
): string =>
  slots.value.length > 1 ? t.many('progress', secured.value.length, { all: slots.value.length }) : '';
