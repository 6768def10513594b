import { escaped, raw, type Html } from './html.ts';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?/g;

/** Renders JSON text with colours for its names, strings and numbers. */
export function coloured(json: string): Html {
  let at = 0;
  let text = '';
  for (const match of json.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    const kind = quoted === undefined ? 'n' : colon === undefined ? 's' : 'k';
    text += escaped(json.slice(at, match.index));
    text += `<b class="${kind}">${escaped(quoted ?? whole)}</b>${colon ?? ''}`;
    at = match.index + whole.length;
  }
  return raw(text + escaped(json.slice(at)));
}

/** Formats a value for readers: short lists and objects stay on one line. */
export function pretty(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, ' ') ?? 'null';
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= 60) return flat;
  const inner = `${indent}  `;
  const [open, close, lines] = Array.isArray(value)
    ? ['[', ']', value.map((item) => pretty(item, inner))]
    : ['{', '}', Object.entries(value).map(([key, part]) => `"${key}": ${pretty(part, inner)}`)];
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}\n${indent}${close}`;
}
