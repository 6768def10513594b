const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, attributes included. */
export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Builds HTML: plain values are escaped, lists are joined, `raw` parts are inserted unchanged and absent values
 * omitted.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(written)));
}

/** Markup that is already escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const raw = (text: string): Html => new Html(text);

type Part = string | number | Html | undefined | false | readonly Part[];

function written(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(written).join('');
}
