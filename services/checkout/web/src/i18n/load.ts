import type { Locale } from '../bootstrap.ts';
import { backoffMs } from '../net/backoff.ts';
import { pause } from '../net/live.ts';
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

/** Fetches the texts of one language only, and tries again while the network is away: no page works without them. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const { signal } = new AbortController();
  for (let failures = 1; ; failures++) {
    try {
      return (await files[locale]()).default;
    } catch {
      await pause(backoffMs(failures), signal);
    }
  }
}
