import type { Drawn } from '../bootstrap.ts';

/** Returns the direction in which a language is written. */
export const findDirection = (language: string): Drawn['dir'] =>
  new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
