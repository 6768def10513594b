import type { FrameLocator, Locator, Page } from 'playwright-core';

/** The wallet of the sandbox, on the page or in the widget's frame. */
export function findWallet(form: Page | FrameLocator) {
  const card = (outcome: string): Locator => form.getByRole('dialog').getByRole('button', { name: outcome });
  const button = form.getByRole('button', { name: 'Test Pay' });
  return {
    button,
    sheet: form.getByRole('dialog', { name: 'Test Pay: €10.00' }),
    accepted: card('is accepted'),
    declined: card('is declined'),
    challenged: card('asks for 3-D Secure'),
    cancel: card('Cancel'),
  };
}

/** Takes the interface to wallets from the browser, before its page loads. */
export async function hideWallets(page: Page): Promise<void> {
  await page.addInitScript(() => void Reflect.deleteProperty(window, 'PaymentRequest'));
}

/** Resolves when the gateway's library has said which wallets the device has. */
export async function waitUntilSaid(form: Page | FrameLocator): Promise<void> {
  const place = form.locator('#express');
  await place.locator('> div').waitFor({ state: 'attached' });
  // The library says it in the task after this one.
  await place.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}
