/** A parsed form: names with brackets become nested forms, `[]` counts up from 0. */
export type FormValue = string | Form;
export interface Form {
  readonly [name: string]: FormValue;
}

type Growing = { [name: string]: string | Growing };

/** Why a form cannot be read; the message may be shown to the sender. */
export class FormError extends Error {}

const MAX_FIELDS = 1_000;
const MAX_DEPTH = 6;

/**
 * Parses `a[b][c]=d&e[]=f` as sent by payment SDKs. Throws FormError on broken percent or UTF-8 encoding, on text
 * that cannot be stored, on names that contradict one another, and on forms too large or too deep for a real
 * client.
 */
export function parseForm(text: string): Form {
  // Without a prototype, so that a field called __proto__ is stored like any other.
  const root: Growing = Object.create(null) as Growing;
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > MAX_FIELDS) throw new FormError('the form has too many fields');
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    place(root, splitFieldName(name), decoded(at < 0 ? '' : pair.slice(at + 1)), name);
  }
  return root;
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (!plain.includes('\0')) return plain;
  } catch {
    // Falls through to the same error: neither text can be decoded.
  }
  throw new FormError('the form is not properly encoded');
}

function splitFieldName(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) throw new FormError(`invalid field name: ${name.slice(0, 100)}`);
  const [, first = '', brackets = ''] = match;
  const segments = [
    first,
    ...brackets
      .split('[')
      .slice(1)
      .map((part) => part.slice(0, -1)),
  ];
  if (segments.length > MAX_DEPTH) throw new FormError(`too deeply nested: ${name.slice(0, 100)}`);
  return segments;
}

function place(root: Growing, segments: readonly string[], value: string, name: string): void {
  const contradiction = () => new FormError(`contradicting fields: ${name.slice(0, 100)}`);
  let node = root;
  segments.forEach((segment, i) => {
    const key = segment === '' ? String(Object.keys(node).length) : segment;
    const known = node[key];
    if (i === segments.length - 1) {
      if (typeof known === 'object') throw contradiction();
      node[key] = value;
      return;
    }
    if (typeof known === 'string') throw contradiction();
    node = known ?? (node[key] = Object.create(null) as Growing);
  });
}

/** Returns the text of a field; undefined when it is absent or nested. */
export function readTextField(form: Form, name: string): string | undefined {
  const value = form[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the nested form of a field; an empty one when it is absent or flat. */
export function readSubform(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === 'object' ? value : {};
}

/** Returns the texts of a list field such as `expand[]`. */
export function readListField(form: Form, name: string): string[] {
  return Object.values(readSubform(form, name)).filter((value) => typeof value === 'string');
}
