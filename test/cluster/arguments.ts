/** What `npm run cluster -- …` is asked to do; `exec` has the command and its arguments. */
export type Asked =
  | { readonly word: 'up' | 'down' }
  | { readonly word: 'exec'; readonly command: readonly [string, ...string[]] };

export const USAGE = 'usage: npm run cluster [-- up | down | exec COMMAND …]';

/** Parses the words after `npm run cluster --`; undefined when they ask for nothing that there is. */
export function parseArguments(words: readonly string[]): Asked | undefined {
  const [word = 'up', ...rest] = words;
  if (word === 'exec') {
    const [program, ...more] = rest;
    return program === undefined ? undefined : { word, command: [program, ...more] };
  }
  return (word === 'up' || word === 'down') && rest.length === 0 ? { word } : undefined;
}
