import type { Language } from '../../bootstrap.ts';
import ar from './ar.ts';
import ca from './ca.ts';
import da from './da.ts';
import de from './de.ts';
import en, { type MinimumMessages } from './en.ts';
import es from './es.ts';
import fi from './fi.ts';
import fr from './fr.ts';
import it from './it.ts';
import nl from './nl.ts';
import pl from './pl.ts';
import pt from './pt.ts';
import ro from './ro.ts';
import sv from './sv.ts';

/** The sentences about a capture at the expiry in every language; only the server writes them. */
export const minimumMessages: Readonly<Record<Language, MinimumMessages>> = {
  en,
  es,
  ca,
  fr,
  de,
  it,
  pt,
  nl,
  pl,
  sv,
  da,
  fi,
  ro,
  ar,
};
