/** How the page to invite friends writes a time: its reader prints it, or looks at it on another day. */
const FORM: Intl.DateTimeFormatOptions = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** Writes an ISO time with its time zone: the named one, or that of the device. */
export function writeUntil(locale: string, iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, { ...FORM, ...(timeZone && { timeZone }) }).format(new Date(iso));
}
