const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When somebody who listens rather than looks is told of the time left, ms. */
export const ANNOUNCED_MS = [5 * MINUTE, MINUTE, 20 * SECOND] as const;

export type TimeLeft =
  | { readonly unit: 'days'; readonly days: number; readonly hours: number }
  | { readonly unit: 'hours'; readonly hours: number; readonly minutes: number }
  | { readonly unit: 'minutes'; readonly text: string }
  | { readonly unit: 'over' };

/** The time left in the coarsest words that are still honest: minutes and seconds within the last hour. */
export function timeLeft(ms: number): TimeLeft {
  if (ms <= 0) return { unit: 'over' };
  // A second that has begun is shown, so that 0:00 is only ever seen when it is over.
  const whole = Math.ceil(ms / SECOND) * SECOND;
  if (whole >= 2 * DAY)
    return { unit: 'days', days: Math.floor(whole / DAY), hours: Math.floor((whole % DAY) / HOUR) };
  if (whole >= HOUR)
    return { unit: 'hours', hours: Math.floor(whole / HOUR), minutes: Math.floor((whole % HOUR) / MINUTE) };
  const seconds = String((whole % MINUTE) / SECOND).padStart(2, '0');
  return { unit: 'minutes', text: `${Math.floor(whole / MINUTE)}:${seconds}` };
}

/**
 * Which announcement is due between two looks at a clock: the most urgent line crossed, once. A page that was asleep
 * hears only the last one.
 */
export function dueAnnouncement(beforeMs: number, nowMs: number): number | undefined {
  if (nowMs <= 0) return undefined;
  return ANNOUNCED_MS.filter((line) => beforeMs > line && nowMs <= line).at(-1);
}
