/** Returns whether a pattern with `*` for one token, and `>` for the rest, matches the subject. */
export function matchesSubject(pattern: string, subject: string): boolean {
  const [expected, tokens] = [pattern.split('.'), subject.split('.')];
  const isOpen = expected.at(-1) === '>';
  if (isOpen ? tokens.length < expected.length : tokens.length !== expected.length) return false;
  return expected.every((each, at) => each === '>' || each === '*' || each === tokens[at]);
}

export function matchesAny(patterns: readonly string[], subject: string): boolean {
  return patterns.some((pattern) => matchesSubject(pattern, subject));
}

/** Returns one pattern that matches what all of these patterns match; they have the same number of tokens. */
export function coverSubjects(patterns: readonly string[]): string {
  const [first = [], ...others] = patterns.map((pattern) => pattern.split('.'));
  if (others.some(({ length }) => length !== first.length))
    throw new Error(`no one filter covers ${patterns.join(', ')}`);
  return first.map((token, at) => (others.every((other) => other[at] === token) ? token : '*')).join('.');
}
