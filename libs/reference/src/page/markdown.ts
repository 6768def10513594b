import { Marked, type Tokens } from 'marked';
import { coloured } from './code.ts';
import { escaped, raw, type Html } from './html.ts';

/** Returns the anchor of a heading. */
export function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Code that fits on a line of a phone in every place; the styles keep it in one piece. */
const SHORT_WORD = /^\S{1,24}$/;

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const level = depth + 1;
      return `<h${level} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code({ text, lang }) {
      return `<pre tabindex="0"><code>${lang === 'json' ? coloured(text).text : escaped(text)}</code></pre>\n`;
    },
    codespan({ text }) {
      return `<code${SHORT_WORD.test(text) ? '' : ' class="long"'}>${escaped(text)}</code>`;
    },
    table({ header, rows }) {
      const row = (cells: readonly Tokens.TableCell[], tag: string): string =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
      const body = rows.map((cells) => row(cells, 'td')).join('\n');
      return `<div class="wide" tabindex="0"><table><thead>${row(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});

/** Renders our own Markdown as HTML. */
export function markdown(text: string): Html {
  return raw(marked.parse(text, { async: false }));
}

/** The same for one line, without a paragraph around it. */
export function inline(text: string): Html {
  return raw(marked.parseInline(text, { async: false }));
}
