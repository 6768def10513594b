import type { BrowserContext } from 'playwright-core';

/** Counts the clicks of a pointer on all pages of a visitor and in their frames, from now on. */
export async function countClicks(context: BrowserContext): Promise<{ count(): number }> {
  let clicks = 0;
  await context.exposeBinding('countClick', () => void (clicks += 1));
  await context.addInitScript(() => {
    const report = (): void => (globalThis as unknown as { countClick: () => void }).countClick();
    // A click by the keyboard has no detail, and that of a label on its field is not trusted or comes a second time.
    addEventListener('click', ({ isTrusted, detail }) => void (isTrusted && detail > 0 && report()), true);
  });
  return { count: () => clicks };
}
