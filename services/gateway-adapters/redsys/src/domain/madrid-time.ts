const inMadrid = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/**
 * Returns the instant of a gateway's `dd/mm/yyyy` and `HH:mm`, which are Spanish local time without an offset.
 * Within the hour that a clock change repeats it may be an hour off. Undefined for any other text.
 */
export function parseMadridTime(date: string, hour: string): Date | undefined {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(date) ?? [];
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(hour) ?? [];
  if (year === undefined || minutes === undefined) return undefined;
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes));
  return Number.isNaN(wall) ? undefined : new Date(wall - computeOffset(wall));
}

/** Returns how far Spanish clocks are ahead of UTC, ms. */
function computeOffset(instant: number): number {
  const parts = Object.fromEntries(
    inMadrid.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(instant / 60_000) * 60_000;
}
