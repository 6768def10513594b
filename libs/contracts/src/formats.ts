/** Any version, in its plain form: `urn:uuid:…` is no match, because Postgres refuses it. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

// RFC 5322's dot-atom at an RFC 1123 host name with a dot: the practical part of both.
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

const DAY = /^\d{4}-\d\d-\d\d$/;

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[tT](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * The formats of texts from people and programs. A text longer than any honest one is refused before its rule
 * runs. `uri` accepts every absolute address that the URL standard can parse: the receiver encodes it as a URI
 * before it stores it.
 */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => UUID.test(text),
  email: (text) => text.length <= 320 && EMAIL.test(text),
  uri: (text) => text.length <= 2_048 && URL.canParse(text),
  date: isDate,
  'date-time': (text) => text.length <= 40 && isDateTime(text),
};

/** An offset is required (Q27), and the day must exist: Date would silently read February 30 as March 1. */
function isDateTime(text: string): boolean {
  const day = DATE_TIME.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text.toUpperCase()))) return false;
  return isDay(day);
}

/** Returns whether a text is a day that the calendar has, such as `2026-01-31`. */
export function isDate(text: string): boolean {
  return DAY.test(text) && isDay(text);
}

function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
