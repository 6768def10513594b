/** Languages of the page; the first one is the default. */
export const LANGUAGES = [
  'en',
  'es',
  'ca',
  'fr',
  'de',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'fi',
  'ro',
  'ar',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages, and variants of them with formats of their own: British English has the sentences of `en`. */
export const LOCALES = [...LANGUAGES, 'en-GB'] as const;
export type Locale = (typeof LOCALES)[number];

/** Returns the language whose sentences a locale has. */
export const findLanguage = (locale: Locale): Language => locale.split('-')[0] as Language;
