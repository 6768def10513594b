const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The remaining times, ms, that are announced to payers with a screen reader. */
export const ANNOUNCED_MS = [5 * MINUTE, MINUTE, 20 * SECOND] as const;

export type TimeLeft =
  | { readonly unit: 'days'; readonly days: number; readonly hours: number }
  | { readonly unit: 'hours'; readonly hours: number; readonly minutes: number }
  | { readonly unit: 'minutes'; readonly text: string }
  | { readonly unit: 'over'; readonly text: string };

/** Returns the remaining time in the coarsest accurate unit: minutes and seconds within the last hour. */
export function timeLeft(ms: number): TimeLeft {
  if (ms <= 0) return { unit: 'over', text: '0:00' };
  // A second that has begun is shown, so that 0:00 appears only at the end.
  const whole = Math.ceil(ms / SECOND) * SECOND;
  if (whole >= 2 * DAY)
    return { unit: 'days', days: Math.floor(whole / DAY), hours: Math.floor((whole % DAY) / HOUR) };
  if (whole >= HOUR)
    return { unit: 'hours', hours: Math.floor(whole / HOUR), minutes: Math.floor((whole % HOUR) / MINUTE) };
  const seconds = String((whole % MINUTE) / SECOND).padStart(2, '0');
  return { unit: 'minutes', text: `${Math.floor(whole / MINUTE)}:${seconds}` };
}

/**
 * Returns the announcement due between two readings of a clock: the most urgent threshold crossed, once. A page
 * that was suspended announces only the last one.
 */
export function dueAnnouncement(beforeMs: number, nowMs: number): number | undefined {
  if (nowMs <= 0) return undefined;
  return ANNOUNCED_MS.filter((line) => beforeMs > line && nowMs <= line).at(-1);
}
