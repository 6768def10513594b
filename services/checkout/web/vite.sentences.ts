import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { isFirst } from './src/i18n/first.ts';

const LATER = '?later';
const LANGUAGE = /\/src\/i18n\/[a-z]{2}\.ts(?:\?later)?$/;
/** What the first visit loads: the names of the files' parts. */
const FIRST_FILES = ['page', 'mount', 'tips'];

/** Names of steps, events, styles and reasons in those files, which are keys of later sentences as well: only later steps write them. */
const ALSO_KEYS = [
  ...['shares', 'change', 'paying', 'leaving', 'checking', 'slotTaken', 'cardIncomplete', 'declined'],
  ...['insufficient_funds', 'expired_card', 'incorrect_number', 'incorrect_expiry', 'incorrect_cvc'],
];

/** Returns the address, in the manifest, of the sentences of a language that the first visit does not need. */
export const laterSentences = (language: string): string => `src/i18n/${language}.ts${LATER}`;

/**
 * Makes two files of the sentences of each language: those of the first visit, and with `?later` the others. Fails the build
 * when a file of the first visit names a sentence that comes later.
 */
export const splitSentences: Plugin = {
  name: 'split-sentences',
  enforce: 'pre',
  async load(id) {
    if (!LANGUAGE.test(id)) return null;
    const wanted = await readSentences(id.replace(LATER, ''), !id.endsWith(LATER));
    return { code: `export default ${JSON.stringify(wanted)}`, moduleType: 'js' };
  },
  async generateBundle(_, bundle) {
    const source = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const language = source.find((id) => LANGUAGE.test(id));
    if (language === undefined) return;
    const sentences = await readSentences(language.replace(LATER, ''), false);
    const later = Object.keys(sentences).filter((key) => !ALSO_KEYS.includes(key));
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !FIRST_FILES.includes(file.name)) continue;
      const early = later.filter((key) => new RegExp(`["'\`]${key}["'\`]`).test(file.code));
      if (early.length > 0)
        this.error(`${file.fileName} names sentences that come later: ${early.join(', ')}`);
    }
  },
};

async function readSentences(file: string, first: boolean): Promise<Record<string, string>> {
  const { default: all } = (await import(pathToFileURL(file).href)) as { default: Record<string, string> };
  return Object.fromEntries(Object.entries(all).filter(([key]) => isFirst(key) === first));
}
