/** What the stack's program is asked for by its words: `start` is given by `npm start`, `stop` by `npm stop`. */
export type Asked = { readonly word: 'start' | 'stop' | 'help' } | { readonly unknown: string };

export const HELP = `npm start runs the whole platform on this machine, and npm stop ends it. Neither takes arguments.
Settings are variables of the environment:

  GP_PORT_BASE    first port, 8080; all others follow it
  GP_DATA_DIR     folder of the data, .data
  GP_TRACES=1     keeps every span in spans.jsonl there
  GP_PAYER_MAILS  1; with 0 the mailbox of the dashboard has no mails to payers
  GP_SET_<NAME>   sets <NAME> of every service, and GP_SET_CHECKOUT__<NAME> of one

docs/operate.md has the others.`;

/** Parses the words after the program's name; a word that it does not know is returned as unknown. */
export function parseAsked([word = 'start', ...rest]: readonly string[]): Asked {
  const all = [word, ...rest];
  if (all.some((each) => each === '--help' || each === '-h')) return { word: 'help' };
  if (word !== 'start' && word !== 'stop') return { unknown: word };
  const [unknown] = rest;
  return unknown === undefined ? { word } : { unknown };
}
