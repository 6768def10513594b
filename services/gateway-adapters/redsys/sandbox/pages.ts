import type { HttpResponse } from '@gp/http';
import { amountText, cardButtons, html, listKnownCards, page, type Html } from '@gp/psp-sandbox/kit';
import { magicValues, manifest } from '../manifest.ts';
import { findDecimals } from './amounts.ts';
import type { PaymentC } from './payment.ts';

const note = (status: number, title: string, text: Html): HttpResponse =>
  page(status, {
    title,
    main: html`<h1>${title}</h1>
      <p>${text}</p>`,
  });

/** Returns the page for a browser whose order form is refused. */
export const errorPage = (code: string, status = 400): HttpResponse =>
  note(
    status,
    'The payment cannot be made',
    html`Error <code>${code}</code>. Go back to the shop and try again.`,
  );

/** Returns the page for a browser whose order allows no further action. */
export const notePage = (status: number, text: string): HttpResponse =>
  note(status, 'Test bank', html`${text}`);

function formatAmount({ amountMinor, currency, pspReference, details: { shop } }: PaymentC): Html {
  const amount = amountText(amountMinor, currency, findDecimals(currency));
  return html`${shop === undefined ? '' : html`<p>Payment to ${shop}</p>`}
    <p class="amount">${amount}</p>
    <p class="quiet">Order ${pspReference}</p>`;
}

/** Returns the bank's card page: one form, with a button to pay and one to leave. */
export const cardPage = (payment: PaymentC, action: string, complaint = ''): HttpResponse =>
  page(200, {
    title: 'Pay with your card',
    script: '/gateway_c/assets/bank-page.ts',
    main: html`<h1>Pay with your card</h1>
      ${formatAmount(payment)} ${complaint && html`<p class="fault" role="alert">${complaint}</p>`}
      <form method="post" action="${action}">
        <div>
          <label for="card_number">Card number</label>
          <input id="card_number" name="card_number" inputmode="numeric" autocomplete="cc-number" required />
        </div>
        <div class="row">
          <div>
            <label for="expiry_month">Month</label>
            <input
              id="expiry_month"
              name="expiry_month"
              inputmode="numeric"
              autocomplete="cc-exp-month"
              maxlength="2"
              placeholder="MM"
              required
            />
          </div>
          <div>
            <label for="expiry_year">Year</label>
            <input
              id="expiry_year"
              name="expiry_year"
              inputmode="numeric"
              autocomplete="cc-exp-year"
              maxlength="4"
              placeholder="YYYY"
              required
            />
          </div>
          <div>
            <label for="cvv">Security code</label>
            <input id="cvv" name="cvv" inputmode="numeric" autocomplete="cc-csc" maxlength="4" required />
          </div>
        </div>
        <div class="buttons">
          <button class="main" name="pay" value="pay">Pay</button>
          <button name="cancel" value="cancel" formnovalidate>Cancel and go back</button>
        </div>
      </form>
      <details open>
        <summary>Test cards: choose one to fill in the form</summary>
        ${cardButtons(listKnownCards(manifest.testCards))}
      </details>`,
  });

/** Returns the 3-D Secure page: one form that asks for the code the issuer has sent. */
export const codePage = (payment: PaymentC, action: string): HttpResponse =>
  page(200, {
    title: 'Card issuer',
    script: '/gateway_c/assets/bank-page.ts',
    main: html`<h1>Is this you?</h1>
      ${formatAmount(payment)}
      <p>
        Your card's issuer has sent a code to your telephone. On this test bank it is
        ${magicValues.rightCode}; any other one is wrong.
      </p>
      <form method="post" action="${action}">
        <div>
          <label for="code">Code</label>
          <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required />
        </div>
        <div class="buttons">
          <button class="main" name="confirm" value="confirm">Confirm</button>
          <button type="button" disabled data-code="${magicValues.rightCode}">
            Fill in ${magicValues.rightCode}
          </button>
          <button name="result" value="failed" formnovalidate>Refuse the payment</button>
        </div>
      </form>`,
  });
