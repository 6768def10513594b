import { splitLeadingOptions } from '@gp/service';

const FLAGS = ['--help', '-h'];

/** A command line on merchants, taken apart. */
export type Words = {
  /** The options before the verb. */
  readonly leading: readonly string[];
  readonly verb: string | undefined;
  /** Everything after the verb. */
  readonly rest: readonly string[];
  readonly wantsHelp: boolean;
};

/** Takes a line apart; "merchants" and "help" may stand before the verb, in either order. Throws a UsageError. */
export function splitWords(argv: readonly string[]): Words {
  const before = new Set(['merchants', 'help']);
  const leading: string[] = [];
  let words = argv;
  do {
    const split = splitLeadingOptions(words);
    leading.push(...split.leading);
    words = split.rest;
  } while (before.delete(words[0] ?? '') && (words = words.slice(1)));
  const [verb, ...rest] = words;
  const wantsHelp = !before.has('help') || [...leading, ...rest].some((word) => FLAGS.includes(word));
  return { leading, verb, rest, wantsHelp };
}
