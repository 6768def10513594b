import { FIRST_STATEMENT_DAY, isDate, LAST_STATEMENT_DAY, LONGEST_STATEMENT_DAYS } from '@gp/contracts';
import { validationError } from '@gp/errors';
import { findTimeZone } from '@gp/primitives';

/** The days of a statement. */
export type Period = {
  readonly timeZone: string;
  /** Oldest first, `2026-01-31`. */
  readonly days: readonly string[];
  /** The instant each day begins, epoch ms, and the one at which the last day ends. */
  readonly boundsMs: readonly number[];
};

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
/** No place is as far from UTC. */
const FURTHEST_MS = 15 * 3_600_000;

/** A period as it is asked for: see the contract of statements. */
export type AskedPeriod = { readonly from?: string; readonly to?: string; readonly time_zone?: string };

/**
 * Returns the days from one to another, both included, in a time zone by its IANA name. Throws `validation_error` for a day or a
 * time zone that does not exist, and for a period that is turned round or longer than LONGEST_STATEMENT_DAYS.
 */
export function parsePeriod({ from, to, time_zone: timeZone = 'UTC' }: AskedPeriod, nowMs: number): Period {
  const readDay = localDay(timeZone);
  const givenMs = { from: parseDay('from', from), to: parseDay('to', to) };
  const knownMs = givenMs.from ?? givenMs.to ?? Date.parse(readDay(nowMs));
  const [fromMs, toMs] = [
    givenMs.from ?? findMonth(knownMs).firstMs,
    givenMs.to ?? findMonth(knownMs).lastMs,
  ];
  if (toMs < fromMs) throw validationError('to', 'must not be before from');
  const count = (toMs - fromMs) / DAY_MS + 1;
  if (count > LONGEST_STATEMENT_DAYS)
    throw validationError('to', `must be at most ${LONGEST_STATEMENT_DAYS - 1} days after from`);
  const midnights = Array.from({ length: count + 1 }, (_, index) => fromMs + index * DAY_MS);
  return {
    timeZone,
    days: midnights.slice(0, count).map(formatDay),
    boundsMs: midnights.map((utcMs) => findStart(utcMs, readDay)),
  };
}

/** Returns the first and the last day of the month of a day; each is its midnight in UTC. */
function findMonth(dayMs: number): { firstMs: number; lastMs: number } {
  const day = new Date(dayMs);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { firstMs: Date.UTC(year, month, 1), lastMs: Date.UTC(year, month + 1, 0) };
}

function parseDay(param: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!isDate(text)) throw validationError(param, 'must be a day such as 2026-01-31');
  if (text < FIRST_STATEMENT_DAY || text > LAST_STATEMENT_DAY)
    throw validationError(param, `must be from ${FIRST_STATEMENT_DAY} to ${LAST_STATEMENT_DAY}`);
  return Date.parse(`${text}T00:00:00Z`);
}

const formatDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns a function that tells the day of an instant in a time zone. */
function localDay(timeZone: string): (ms: number) => string {
  if (findTimeZone(timeZone) === undefined)
    throw validationError('time_zone', 'must be the name of a time zone, such as Europe/Madrid or UTC');
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { ...parts, timeZone, calendar: 'gregory' });
  return (ms) => {
    const [month, day, year] = format.format(ms).split('/');
    return `${year}-${month}-${day}`;
  };
}

/**
 * Returns the first instant of the day that begins in UTC at `utcMs`. Since 1986 all clocks differ from UTC by quarters of an
 * hour, so a day begins at one, also where no clock shows midnight because it was put forward then.
 */
function findStart(utcMs: number, readDay: (ms: number) => string): number {
  const day = formatDay(utcMs);
  let [before, start] = [utcMs - FURTHEST_MS, utcMs + FURTHEST_MS];
  while (start - before > QUARTER_MS) {
    const middle = before + Math.floor((start - before) / 2 / QUARTER_MS) * QUARTER_MS;
    if (readDay(middle) < day) before = middle;
    else start = middle;
  }
  return start;
}
