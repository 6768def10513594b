import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Group } from '../support/api.ts';
import type { Visitor } from './support.ts';

export const OTHER_CARDS = {
  challenged: '4000002760003184',
  declined: '4000000000000002',
  withoutFunds: '4000000000009995',
  lost: '4000000000009987',
} as const;
export const GOOD_CARD = '4242424242424242';

/** A payer at the page of a bill, using its controls. */
export type PayerPage = ReturnType<typeof payerPage>;

export async function openBill(visitor: Visitor, group: Group): Promise<PayerPage> {
  await visitor.page.goto(group.checkout_url);
  return payerPage(visitor);
}

export function payerPage(visitor: Visitor) {
  const { page } = visitor;
  const heading = (name: string | RegExp) => page.getByRole('heading', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const share = (number: number) => page.getByRole('checkbox', { name: new RegExp(`^Share ${number}\\b`) });
  const cardIsThere = () => page.locator('.card-ready').waitFor();
  const alertWith = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });
  return {
    page,
    heading,
    button,
    share,
    alertWith,
    cardIsThere,
    state: (number: number) => page.locator('.tile', { hasText: new RegExp(`^Share ${number}\\b`) }),
    announcementWith: (text: string | RegExp) => page.locator('.spoken', { hasText: text }),
    /** Selects shares, enters name and e-mail and continues. */
    async take(numbers: readonly number[], name: string): Promise<void> {
      for (const number of numbers) await share(number).check();
      await page.getByLabel('E-mail').fill(`${name}@payers.example`);
      await page.getByLabel(/^Name \(/).fill(`${name} Example`);
      await button(/^(Continue with|Pay .* at the bank)/).click();
    },
    async typeCard(number: string): Promise<void> {
      await cardIsThere();
      const fields = cardFields(page);
      await fields.getByLabel('Card number').fill(number);
      await fields.getByLabel('Expiry date').fill('12 / 34');
      await fields.getByLabel('Security code').fill('123');
    },
    async pay(): Promise<void> {
      await comesToRest(button(/^Pay /));
      await button(/^Pay /).click();
    },
    waitUntilHeld: () => heading('You are in').waitFor(),
    /** Checks that the screen is accessible and does not scroll sideways. */
    async expectGood(): Promise<void> {
      await visitor.expectAccessible();
      expect(await page.evaluate(findOverflow)).toEqual([]);
    },
  };
}

const LOOK_MS = 200;

/** Resolves when an element has been in its place for a moment: a complaint of the card form that goes moves what is below it. */
async function comesToRest(element: Locator): Promise<void> {
  const findPlace = async (): Promise<string> => JSON.stringify(await element.boundingBox());
  let place = await findPlace();
  for (let before = ''; before !== place; place = await findPlace()) {
    before = place;
    await delay(LOOK_MS);
  }
}

/** Returns what reaches beyond the width of a page that scrolls sideways. Runs in the page. */
function findOverflow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth === clientWidth) return [];
  const wide = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < 0 || right > clientWidth;
  });
  return wide.map((element) => `${element.tagName} ${element.getAttribute('class')}`);
}

/** The payment a page has begun, as it remembers it. */
export const begunIn = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => {
    const saved = JSON.parse(sessionStorage.getItem(Object.keys(sessionStorage)[0] ?? '') ?? '{}') as {
      begun?: { intentId?: string };
    };
    return saved.begun?.intentId;
  });

/** The gateway's own fields, in the frame where they live. */
export const cardFields = (page: Page): FrameLocator => page.frameLocator('.card-place iframe');

/** The issuer's page of 3-D Secure, shown over ours. */
export async function answerIssuer(page: Page, isHim: boolean): Promise<void> {
  const dialog = page.getByRole('dialog').locator('iframe').contentFrame();
  await dialog.locator(`button[value="${isHim ? 'authenticated' : 'failed'}"]`).click();
}

/** The bank's page of 3-D Secure, for which the payer left ours. */
export async function answerBank(page: Page, isHim: boolean): Promise<void> {
  await page.locator(`button[value="${isHim ? 'authenticated' : 'failed'}"]`).click();
}

/** The bank's own pages. */
export async function payAtTheBank(page: Page, card: string): Promise<void> {
  await page.locator('input[name="card_number"]').fill(card);
  await page.locator('input[name="expiry_month"]').fill('12');
  await page.locator('input[name="expiry_year"]').fill('2034');
  await page.locator('input[name="cvv"]').fill('123');
  await page.locator('button[name="pay"]').click();
}
