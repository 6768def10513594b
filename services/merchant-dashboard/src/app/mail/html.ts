import { escapeHtml } from '@gp/mail';

/**
 * Returns the HTML of a text whose paragraphs are parted by empty lines: paragraphs, and links where a line is an address
 * at one of our `origins`. It has no images and loads nothing, so that reading it tells nobody.
 */
export function renderParagraphs(text: string, origins: readonly string[]): string {
  const renderLine = (line: string): string =>
    origins.some((origin) => line.startsWith(`${origin}/`)) ? `<a href="${line}">${line}</a>` : line;
  return text
    .split('\n\n')
    .map((paragraph) => escapeHtml(paragraph).split('\n').map(renderLine).join('<br>'))
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('\n');
}

/** Returns a whole HTML document for a mail program. */
export function renderMail(o: {
  readonly subject: string;
  readonly text: string;
  readonly dashboard: string;
}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(o.subject)}</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 24px auto; padding: 0 16px; overflow-wrap: anywhere">
<h1 style="font-size: 20px">${escapeHtml(o.subject)}</h1>
${renderParagraphs(o.text, [o.dashboard])}
</body></html>
`;
}
