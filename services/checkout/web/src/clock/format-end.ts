/** Returns an instant as people of the locale write it, with its day unless that is today. */
export function formatEnd(end: Date, now: Date, locale: string, zone: Intl.DateTimeFormatOptions): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeZone: zone.timeZone });
  const isToday = day.format(end) === day.format(now);
  const written = isToday ? {} : ({ weekday: 'short', day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(locale, { ...written, hour: 'numeric', minute: '2-digit', ...zone }).format(
    end,
  );
}
