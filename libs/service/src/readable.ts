/** Formats a value for people: fields one below the other, lists item by item, small values on one line. */
export function formatReadable(value: unknown): string {
  return `${formatLines(value).join('\n')}\n`;
}

/** The longest value, in characters, that is shown on one line. */
const LINE = 100;

function formatLines(value: unknown): string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.flatMap(formatItem);
  if (isRecord(value)) return Object.entries(value).flatMap(([name, each]) => formatField(name, each));
  return [plain(value)];
}

function formatItem(item: unknown): string[] {
  if (!isRecord(item)) return [`- ${plain(item)}`];
  const line = `- ${inOneLine(item)}`;
  if (line.length <= LINE) return [line];
  return formatLines(item).map((each, index) => (index === 0 ? `- ${each}` : `  ${each}`));
}

function formatField(name: string, value: unknown): string[] {
  const isEmpty = isRecord(value) && Object.keys(value).length === 0;
  if (value === null || value === undefined || isEmpty) return [];
  if (typeof value !== 'object') return [`${name}: ${plain(value)}`];
  if (isRecord(value) && inOneLine(value).length <= LINE) return [`${name}: ${inOneLine(value)}`];
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return [`${name}: ${value.length === 0 ? 'none' : value.map(plain).join(' ')}`];
  return [`${name}:`, ...formatLines(value).map((line) => `  ${line}`)];
}

function inOneLine(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${plain(value)}`)
    .join(' ');
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
