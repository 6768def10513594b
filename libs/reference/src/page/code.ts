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
