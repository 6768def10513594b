/** Text that is HTML already; everything else is escaped when it is inserted. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Builds HTML and escapes every inserted part that is not HTML itself. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: literals }, ...parts.map(renderPart)));
}

function renderPart(part: Part): string {
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.join('\n') : escaped(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
