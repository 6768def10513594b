/** The form of a time zone's name in the IANA database; offsets such as `+01:00` have none. */
export const TIME_ZONE_PATTERN = '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$';
const FORM = new RegExp(TIME_ZONE_PATTERN);

/**
 * Returns the name of a time zone as this machine writes it, at most 64 characters; undefined for a name that is not in its
 * list. Lists differ by their age: a browser may know a zone that this machine does not.
 */
export function findTimeZone(name: string): string | undefined {
  if (!FORM.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
