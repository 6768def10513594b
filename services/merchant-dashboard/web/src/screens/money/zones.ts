/** The time zones that pages of money offer: UTC first, which the server takes without one, and the viewer's. */
export const ZONES: readonly string[] = [
  ...new Set(['UTC', new Intl.DateTimeFormat().resolvedOptions().timeZone]),
];
