import type { Locale } from '../bootstrap.ts';
import ca from './ca.ts';
import de from './de.ts';
import en, { type Messages } from './en.ts';
import es from './es.ts';
import fr from './fr.ts';
import it from './it.ts';
import pt from './pt.ts';

/** Every language at once, for the server. */
export const allMessages: Readonly<Record<Locale, Messages>> = { en, es, ca, fr, de, it, pt };
