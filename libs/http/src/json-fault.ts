/** A value of JSON that has no parts; sticky, so that it is tried at one place alone. */
const PLAIN =
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

type Awaited = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

/** Where a text stops being JSON, counted from 1; a column counts UTF-16 units. */
export type JsonFault = { readonly line: number; readonly column: number };

/** Returns the first place at which no JSON can go on as the text does, undefined where the text is JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const index = findFaultIndex(text);
  if (index === undefined) return undefined;
  const before = text.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function findFaultIndex(text: string): number | undefined {
  const open: string[] = [];
  let awaited: Awaited = 'value';
  let at = skip(SPACE, text, 0);
  for (; at < text.length; at = skip(SPACE, text, at)) {
    const mark = text[at] ?? '';
    const closes = mark === (open.at(-1) === '{' ? '}' : ']') && open.length > 0;
    if (closes && (awaited === 'comma or end' || awaited.endsWith(` ${mark}`))) {
      open.pop();
      awaited = 'comma or end';
      at += 1;
    } else if (awaited === 'comma or end' || awaited === 'colon') {
      if (mark !== (awaited === 'colon' ? ':' : ',') || open.length === 0) return at;
      awaited = awaited === 'comma or end' && open.at(-1) === '{' ? 'name' : 'value';
      at += 1;
    } else if (awaited.startsWith('value') && (mark === '{' || mark === '[')) {
      open.push(mark);
      awaited = mark === '{' ? 'name or }' : 'value or ]';
      at += 1;
    } else {
      const isName = awaited.startsWith('name');
      const end = isName && mark !== '"' ? at : skip(PLAIN, text, at);
      if (end === at) return at;
      awaited = isName ? 'colon' : 'comma or end';
      at = end;
    }
  }
  return awaited === 'comma or end' && open.length === 0 ? undefined : at;
}

/** Returns the index behind what the pattern matches at a place, the place itself where it does not match. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
