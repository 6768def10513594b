import type { Locale } from '../bootstrap.ts';
import type { Messages } from './en.ts';

const files: Readonly<Record<Locale, () => Promise<{ default: Messages }>>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  ca: () => import('./ca.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  it: () => import('./it.ts'),
  pt: () => import('./pt.ts'),
};

/** Fetches only the texts of one language. */
export const loadMessages = async (locale: Locale): Promise<Messages> => (await files[locale]()).default;
