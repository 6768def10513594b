import type { HttpResponse } from '@gp/http';
import { page } from '../http/page.ts';
import type { PaymentC } from './payment.ts';

/** The page a browser sees when the order form is refused. */
export const errorPage = (code: string, status = 400): HttpResponse =>
  page(status, `<h1>The payment cannot be made</h1>\n<p>Error <code>${code}</code></p>`);

const shownAmount = ({ amountMinor, currency }: PaymentC): string =>
  `<p>Order ${amountMinor} ${currency} (smallest units) at a test bank.</p>`;

/** The bank's card page: one form, with a button to pay and one to leave. */
export const cardPage = (payment: PaymentC, action: string, complaint = ''): HttpResponse =>
  page(
    200,
    `<h1>Pay with your card</h1>
${shownAmount(payment)}${complaint && `\n<p role="alert">${complaint}</p>`}
<form method="post" action="${action}">
<p><label>Card number <input name="card_number" inputmode="numeric" autocomplete="cc-number"></label></p>
<p><label>Month <input name="expiry_month" inputmode="numeric" size="2"></label>
<label>Year <input name="expiry_year" inputmode="numeric" size="4"></label></p>
<p><label>Security code <input name="cvv" inputmode="numeric" size="4"></label></p>
<button name="pay" value="pay">Pay</button>
<button name="cancel" value="cancel">Cancel</button>
</form>`,
  );

/** The 3-D Secure page: one form that asks for the code the issuer has sent. */
export const codePage = (payment: PaymentC, action: string): HttpResponse =>
  page(
    200,
    `<h1>Is this you?</h1>
${shownAmount(payment)}
<form method="post" action="${action}">
<p><label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code"></label></p>
<button name="confirm" value="confirm">Confirm</button>
</form>`,
  );
