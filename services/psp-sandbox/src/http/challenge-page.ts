import type { HttpResponse } from '@gp/http';
import { html } from './html.ts';
import { page } from './page.ts';

export type IssuerPages = {
  /** The 3-D Secure page: one form, whose two buttons send `result`; `shop` is the name of the asking account. */
  readonly question: (amount: string, shop?: string) => HttpResponse;
  readonly note: (status: number, text: string) => HttpResponse;
};

/**
 * Returns the pages of a card's issuer. In a frame they post a message to the parent page when they are shown and when
 * they are answered.
 */
export function issuerPages(isFramed: boolean): IssuerPages {
  const options = {
    title: 'Card issuer',
    isFramed,
    ...(isFramed && { script: '/assets/browser/challenge-page.ts' }),
  };
  return {
    question: (amount, shop = 'A shop') =>
      page(200, {
        ...options,
        main: html`<h1>Is this you?</h1>
          <p>${shop} asks to hold this amount on your test card:</p>
          <p class="amount">${amount}</p>
          <form method="post">
            <div class="buttons">
              <button class="main" name="result" value="authenticated">Yes, it is me</button>
              <button name="result" value="failed">No, refuse it</button>
            </div>
          </form>`,
      }),
    note: (status, text) =>
      page(status, {
        ...options,
        main: html`<h1>Card issuer</h1>
          <p>${text}</p>`,
      }),
  };
}
