import type { Page } from 'playwright-core';

declare global {
  interface Window {
    /** How much has moved by itself on this page, as a sum of the browser's scores. */
    shifts: number;
  }
}

/** Adds up what moves by itself on every page that is opened from now on: `window.shifts`. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
