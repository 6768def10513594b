/** How one language writes a value of JSON. */
export type Notation = {
  /** Writes a text, number, truth value or null. */
  readonly scalar: (value: unknown) => string;
  /** Writes the name of a field. */
  readonly key: (name: string) => string;
  /** What stands behind the last item of several lines. */
  readonly lastComma: ',' | '';
  readonly indent: string;
  /** What lists on one line begin and end with, and objects. */
  readonly list: readonly [string, string];
  readonly object: readonly [string, string];
};

const toJson = (value: unknown): string => JSON.stringify(value) ?? 'null';
const json: Notation = {
  scalar: toJson,
  key: toJson,
  lastComma: '',
  indent: '  ',
  list: ['[ ', ' ]'],
  object: ['{ ', ' }'],
};

/** Longer lists and objects take a line for each item. */
const LONGEST_LINE = 60;

/** Formats a value of JSON for readers: short lists and objects stay on one line. */
export function formatLiteral(value: unknown, notation: Notation = json, indent = ''): string {
  const flat = writeFlat(value, notation);
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= LONGEST_LINE) return flat;
  const inner = indent + notation.indent;
  const [open, close] = (Array.isArray(value) ? notation.list : notation.object).map((bracket) =>
    bracket.trim(),
  );
  const lines = listItems(value, notation, (part) => formatLiteral(part, notation, inner));
  return `${open}\n${lines.map((line) => inner + line).join(',\n')}${notation.lastComma}\n${indent}${close}`;
}

function writeFlat(value: unknown, notation: Notation): string {
  if (typeof value !== 'object' || value === null) return notation.scalar(value);
  const items = listItems(value, notation, (part) => writeFlat(part, notation)).join(', ');
  const [open, close] = Array.isArray(value) ? notation.list : notation.object;
  return items === '' ? open.trim() + close.trim() : open + items + close;
}

function listItems(value: object, { key }: Notation, write: (part: unknown) => string): string[] {
  if (Array.isArray(value)) return value.map(write);
  return Object.entries(value).map(([name, part]) => `${key(name)}: ${write(part)}`);
}
