import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';
import { chart } from './processes.ts';

type Row = { readonly name: string; readonly fallback: string; readonly meaning: string };

/** Longer defaults are read in the file itself. */
const LONGEST_DEFAULT = 60;

/** The chart's values as a Markdown table: name, default and the comment above it in values.yaml. */
export function writeValuesTable(): string {
  const document = parseDocument(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const rows = listRows(document.contents as YAMLMap, '');
  const lines = rows.map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${escape(meaning)} |`,
  );
  return [
    '# Values',
    '',
    'Written from [values.yaml](values.yaml) by `npm run generate`. `examples/` has whole files, and `values.schema.json` refuses what is not here.',
    '',
    '| value | default | meaning |',
    '| --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

function listRows(map: YAMLMap, prefix: string): Row[] {
  return map.items.flatMap((pair, index) => {
    const name = prefix + String((pair.key as { value: unknown }).value);
    const { value } = pair;
    // The comment above the first entry of a map is the map's own, unless it is the comment of the whole file.
    const first = index === 0 && prefix !== '' ? map.commentBefore : undefined;
    const meaning = readComment(pair, first);
    if (!isMap(value) || value.items.length === 0 || value.flow === true)
      return [{ name, fallback: describeDefault(value), meaning }];
    const inner = listRows(value, `${name}.`);
    return meaning === '' ? inner : [{ name, fallback: '', meaning }, ...inner];
  });
}

function readComment(pair: Pair, first: string | null | undefined): string {
  const own = (pair.key as { commentBefore?: string | null }).commentBefore ?? first ?? '';
  return own
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function describeDefault(value: unknown): string {
  const plain = isScalar(value) ? value.value : (value as { toJSON(): unknown }).toJSON();
  const text = JSON.stringify(plain);
  return text.length > LONGEST_DEFAULT ? '[see the file](values.yaml)' : `\`${text}\``;
}

const escape = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
