import { SENTENCES_ID } from '../bootstrap.ts';
import { backoffMs } from '../net/backoff.ts';
import { pause } from '../net/live.ts';
import type { Messages } from './en.ts';

/**
 * Fetches the sentences that the document's head links to, and tries again while the network is away: no page works
 * without them. The address comes from the server, so that the page's script need not list the files of all languages.
 */
export async function loadMessages<M = Messages>(id: string = SENTENCES_ID): Promise<M> {
  const { href } = document.getElementById(id) as HTMLLinkElement;
  const { signal } = new AbortController();
  for (let failures = 1; ; failures++) {
    try {
      const file = (await import(/* @vite-ignore */ href)) as { default: M };
      return file.default;
    } catch {
      await pause(backoffMs(failures), signal);
    }
  }
}
