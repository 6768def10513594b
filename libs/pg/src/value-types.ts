import pg from 'pg';

const { builtins } = pg.types;
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;
const TEXT_ARRAY = 1009;

/** The registry with any oid: its declared type lists only some of the server's types. */
const driverParser = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

/** Parses an array literal whose elements stay text. */
const parseTextArray = driverParser(TEXT_ARRAY) as (value: string) => (string | null)[];
const asText = (value: string): string => value;

/** Types that the driver would read with lost digits, or with a calendar day moved into the local time zone. */
const exactParsers = new Map<number, (value: string) => unknown>([
  [builtins.INT8, BigInt],
  [INT8_ARRAY, (value) => parseTextArray(value).map((item) => (item === null ? null : BigInt(item)))],
  [builtins.NUMERIC, asText],
  [NUMERIC_ARRAY, parseTextArray],
  [builtins.DATE, asText],
  [DATE_ARRAY, parseTextArray],
  [builtins.TIMESTAMP, asText],
]);

/**
 * Type parsers of one pool: int8 → bigint, timestamptz → Date, numeric and date → string, json(b) parsed. They
 * are not in the driver's global registry, so another user of `pg` in the process is not affected.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : exactParsers.get(oid)) ?? driverParser(oid, format),
};

/**
 * Makes bigint and Date parameters exact, also inside arrays; an invalid Date is refused here instead of
 * reaching the server as the text "NaN". Everything else is left to the driver.
 */
export function encodeValues(values: readonly unknown[]): unknown[] {
  return values.map(encodeValue);
}

function encodeValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(encodeValue);
  return value;
}
