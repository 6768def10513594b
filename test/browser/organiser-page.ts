import type { Group } from '../support/api.ts';
import { payerPage } from './payer-page.ts';
import type { Visitor } from './support.ts';

/** Opens the page of a group's organiser, and returns its controls. */
export async function organiserPage(visitor: Visitor, group: Group) {
  const { page } = visitor;
  const url = String(group.organiser_url);
  await page.goto(url);
  return {
    visitor,
    page,
    url,
    token: url.split('/').at(-1) ?? '',
    heading: (name: string | RegExp) => page.getByRole('heading', { name }),
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    /** A share by its number. */
    row: (number: number) => page.locator('.slot-row', { hasText: new RegExp(`^Share ${number}`) }),
    expectGood: payerPage(visitor).expectGood,
  };
}
