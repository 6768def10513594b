/** What `npm run cluster -- …` is asked to do; `exec` has the command and its arguments, `drill` the names of drills. */
export type Asked =
  | { readonly word: 'up' | 'down' }
  | { readonly word: 'drill'; readonly names: readonly string[] }
  | { readonly word: 'exec'; readonly command: readonly [string, ...string[]] };

export const USAGE = 'usage: npm run cluster [-- up | down | exec COMMAND … | drill all | drill NAME …]';

/** Parses the words after `npm run cluster --`; undefined when they ask for nothing that there is. */
export function parseArguments(words: readonly string[]): Asked | undefined {
  const [word = 'up', ...rest] = words;
  if (word === 'exec') {
    const [program, ...more] = rest;
    return program === undefined ? undefined : { word, command: [program, ...more] };
  }
  if (word === 'drill') return rest.length === 0 ? undefined : { word, names: rest };
  return (word === 'up' || word === 'down') && rest.length === 0 ? { word } : undefined;
}
