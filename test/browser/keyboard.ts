import { setTimeout as delay } from 'node:timers/promises';
import { eventually, TimeoutError } from '@gp/testing';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './support.ts';

/** Key presses in vain after which the user pauses; far more than any page has elements. */
const ROUND = 80;
const REST_MS = 250;

/** A user without a mouse. */
export function openKeyboard(page: Page) {
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Resolves when the page has moved the focus to the element with this name, which it does after it has shown it. */
    async isMovedTo(name: string): Promise<void> {
      await eventually(async () => (await page.evaluate(nameOfFocus)) === name || undefined, {
        withinMs: PATIENCE_MS,
      });
    },
    /** Presses a key, Tab by default, until the element with this name has the focus. */
    async to(name: RegExp, key = 'Tab'): Promise<void> {
      const giveUpAt = Date.now() + PATIENCE_MS;
      for (let presses = 1; Date.now() < giveUpAt; presses++) {
        if (name.test(await page.evaluate(nameOfFocus))) return;
        await press(key);
        if (presses % ROUND === 0) await delay(REST_MS);
      }
      throw new TimeoutError(`${String(name)} never had the focus`);
    },
  };
}

/** Runs in the page. */
function nameOfFocus(): string {
  const { activeElement } = document;
  // A whole screen may have the focus, to begin from; it is not called what it holds.
  if (!activeElement || activeElement.querySelector('a, button, input')) return '';
  const labels = activeElement instanceof HTMLInputElement ? [...(activeElement.labels ?? [])] : [];
  const label = labels.map(({ innerText }) => innerText).join();
  return label || activeElement.getAttribute('aria-label') || (activeElement.textContent ?? '').trim();
}
