import type { FrameLocator, Page } from 'playwright-core';

declare global {
  interface Window {
    /** As much of the widget's global as is used here; its own types are served at /widget/v1.d.ts. */
    ServiceGroupPay(options: object): { mount(target: string | Element): { unmount(): void } };
  }
  interface HTMLElementEventMap {
    'service:error': CustomEvent<{ message: string }>;
  }
}

/** Messages that a page of the sample shop received from the widget; collected from the first script on. */
export type Heard = {
  readonly type: string;
  readonly detail: { id?: string; state?: string; message?: string };
};

/** Books a house at the sample shop, and returns the number of the booking, which is its group payment's. */
export async function book(page: Page, shop: string, way: 'script' | 'plain'): Promise<string> {
  await page.addInitScript(() => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    for (const type of ['service:complete', 'service:error'])
      addEventListener(type, (event) => heard.push({ type, detail: (event as CustomEvent).detail }));
  });
  await page.goto(shop);
  const house = page.getByRole('listitem').filter({ hasText: 'The old lighthouse' });
  await house.getByLabel('Shared by').selectOption('2');
  await house
    .getByRole('button', { name: way === 'script' ? 'Book together' : '… on a page without code' })
    .click();
  await page.waitForURL('**/bookings/*');
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

export const readEvents = (page: Page): Promise<Heard[]> =>
  page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);

/** The payment form inside the widget's frame. */
export function findForm(page: Page, frame = 'iframe[title="Payment"]') {
  const form: FrameLocator = page.frameLocator(frame);
  return {
    form,
    share: (number: number) => form.getByRole('checkbox', { name: new RegExp(`^Share ${number}\\b`) }),
    email: form.getByLabel('E-mail'),
    heading: (name: string | RegExp) => form.getByRole('heading', { name }),
    /** Sends the card. */
    pay: form.getByRole('button', { name: /^Pay / }),
    goOn: form.getByRole('button', { name: /^(Continue with|Pay .* at the bank)/ }),
    /** Selects one share and enters name and e-mail. */
    async choose(number: number, name: string): Promise<void> {
      await this.share(number).check();
      await this.email.fill(`${name}@payers.example`);
    },
  };
}
