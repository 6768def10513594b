// ES2026 (source text access), in Node since 21, not yet in TypeScript's library for our target.
type SourceAwareJson = {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};
const json = JSON as unknown as SourceAwareJson;

/**
 * Deepest nesting accepted. Far above any real request, far below where recursive readers of the result (the
 * reviver itself, validators, serialisers) would exhaust the stack.
 */
export const maxDepth = 200;

const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A JSON number that keeps its source text; serialises back to exactly that. */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The nearest double; for counts, never for money. */
  toNumber(): number {
    return Number(this.source);
  }

  toJSON(): unknown {
    return rawNumber(this.source);
  }
}

/** JSON that keeps to the syntax and cannot be stored; the message says what is in it. */
export class UnstorableJsonError extends SyntaxError {}

/**
 * Parses JSON with every number as an `ExactNumber`.
 *
 * Throws SyntaxError on invalid JSON, and UnstorableJsonError on JSON that cannot be stored: nesting deeper than `maxDepth`,
 * numbers of more than 128 characters or with exponents of more than 3 digits, and text with NUL or half a surrogate pair
 * (Postgres stores neither, so accepting them here would fail there).
 */
export function parseJsonExact(text: string): unknown {
  assertShallow(text);
  return json.parse(text, (key, value, { source }) => {
    assertStorable(key);
    if (typeof value === 'string') assertStorable(value);
    return typeof value === 'number' ? exactNumber(source ?? String(value)) : value;
  });
}

/**
 * Wraps number text so that JSON.stringify writes it unchanged, for example `150.00`; throws TypeError on other
 * text.
 */
export function rawNumber(text: string): unknown {
  if (!numberText.test(text)) throw new TypeError('not the text of a JSON number');
  return json.rawJSON(text);
}

function exactNumber(source: string): ExactNumber {
  if (source.length > 128 || /[eE][+-]?\d{4}/.test(source))
    throw new UnstorableJsonError(
      'a number of more than 128 characters or with an exponent of more than 3 digits',
    );
  return new ExactNumber(source);
}

/** Returns whether Postgres stores the text unchanged: it refuses NUL and halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function assertStorable(text: string): void {
  if (!isStorable(text)) throw new UnstorableJsonError('text with U+0000 or half a surrogate pair');
}

// Counts brackets outside strings. On invalid JSON the count may be off; the parser refuses that text anyway.
function assertShallow(text: string): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > maxDepth) throw new UnstorableJsonError(`more than ${maxDepth} levels of nesting`);
  }
}
