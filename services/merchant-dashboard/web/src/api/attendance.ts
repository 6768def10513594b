/** Requests within this time after somebody used the page are theirs, ms. */
const ATTENDED_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'];

let usedAt = Date.now();

/** Notes from now on when somebody uses the page. */
export function watchAttendance(): void {
  for (const sign of SIGNS)
    addEventListener(sign, () => (usedAt = Date.now()), { capture: true, passive: true });
}

/**
 * Returns whether nobody has used the page for a minute. What it loads then does not keep the session from ending:
 * a page that somebody has left open may load for hours.
 */
export const isUnattended = (): boolean => Date.now() - usedAt > ATTENDED_MS;
