import { SENTENCES_ID } from '../bootstrap.ts';
import { loadFile } from '../net/load-file.ts';
import type { Messages } from './en.ts';

/**
 * Fetches the sentences that the document's head links to: no page works without them. The address comes from the server, so
 * that the page's script need not list the files of all languages. Those of the payers' page lack the later ones.
 */
export const loadMessages = <M = Messages>(id: string = SENTENCES_ID): Promise<M> => load(findLink(id).href);

/** Fetches the sentences of the payers' page that its first visit does not need. */
export const loadLaterMessages = (): Promise<Messages> => load(findLink(SENTENCES_ID).dataset['later'] ?? '');

const findLink = (id: string): HTMLLinkElement => document.getElementById(id) as HTMLLinkElement;

async function load<M>(href: string): Promise<M> {
  const file = await loadFile(() => import(/* @vite-ignore */ href) as Promise<{ default: M }>);
  return file.default;
}
