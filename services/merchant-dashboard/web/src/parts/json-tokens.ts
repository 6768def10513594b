type Token = { readonly kind: 'name' | 'text' | 'number' | 'word' | 'sign'; readonly text: string };

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g;

/** Splits JSON text into tokens that are coloured differently; the tokens joined are the text again. */
export function splitTokens(json: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of json.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'sign', text: json.slice(end, match.index) });
    const [whole, quoted, colon, number] = match;
    if (quoted !== undefined) tokens.push({ kind: colon === undefined ? 'text' : 'name', text: quoted });
    if (colon !== undefined) tokens.push({ kind: 'sign', text: colon });
    if (quoted === undefined) tokens.push({ kind: number === undefined ? 'word' : 'number', text: whole });
    end = match.index + whole.length;
  }
  if (end < json.length) tokens.push({ kind: 'sign', text: json.slice(end) });
  return tokens;
}
