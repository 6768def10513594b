const HOUR_MS = 3_600_000;

/** A later end that the organiser may choose, and how much later it is. */
export type Extension = { readonly key: 'addHour' | 'addDay' | 'addLatest'; readonly expires_at: string };

/** Returns the ends that an organiser may choose: an hour later, a day later and the latest, as far as they are allowed. */
export function listExtensions(expiresAt: string, latest: string | null): readonly Extension[] {
  const from = Date.parse(expiresAt);
  const until = latest === null ? from : Date.parse(latest);
  const later = (key: Extension['key'], atMs: number): Extension => ({
    key,
    expires_at: new Date(atMs).toISOString(),
  });
  return [
    ...(from + HOUR_MS < until ? [later('addHour', from + HOUR_MS)] : []),
    ...(from + 24 * HOUR_MS < until ? [later('addDay', from + 24 * HOUR_MS)] : []),
    ...(from < until ? [later('addLatest', until)] : []),
  ];
}
