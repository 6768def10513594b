import { findLanguage, type Locale } from '../../bootstrap.ts';
import { tipMessages } from './all.ts';
import type { TipMessages } from './messages.ts';

/** Returns the sentences about tips in the language of a locale; amounts stay to be filled in. */
export const writeTips = (locale: Locale): TipMessages => tipMessages[findLanguage(locale)];
