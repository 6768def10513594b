import { ExactNumber } from '@gp/money';

/**
 * Returns one text for all spellings of the same JSON value: keys sorted, no white space, numbers by their exact
 * value (`1e2`, `100` and `100.00` are one number; two amounts that round to the same double are two).
 */
export function canonicalJson(value: unknown): string {
  if (value instanceof ExactNumber) return canonicalNumber(value.source);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${fields.join(',')}}`;
}

/** The significant digits and their power of ten. */
function canonicalNumber(source: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const exponent = Number(power) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${exponent}`;
}
