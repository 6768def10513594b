/** The tokens of valid JSON that matter here: texts, and the marks between values. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

/** The names of one object so far; an array has none. */
type Level = { readonly names: Set<string> | undefined; isNameNext: boolean };

/**
 * Returns whether an object of the JSON text has a name twice, however the name is escaped. Readers of such a text
 * disagree about its value: some take the first, some the last. The text must be valid JSON.
 */
export function hasRepeatedName(text: string): boolean {
  const levels: Level[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{') levels.push({ names: new Set(), isNameNext: true });
    else if (token === '[') levels.push({ names: undefined, isNameNext: false });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',') {
      if (level) level.isNameNext = level.names !== undefined;
    } else if (level?.isNameNext) {
      if (level.names?.has(readName(token))) return true;
      level.names?.add(readName(token));
      level.isNameNext = false;
    }
  }
  return false;
}

const readName = (token: string): string =>
  token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
