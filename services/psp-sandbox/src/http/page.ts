import type { HttpResponse } from '@gp/http';

/** A page that needs nothing but itself. */
export const page = (status: number, main: string): HttpResponse => ({
  status,
  contentType: 'text/html; charset=utf-8',
  // It may stand in a frame of the checkout.
  headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" },
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Card issuer</title>
<style>body{font:16px system-ui;margin:3rem auto;max-width:24rem;padding:0 1rem}button{font:inherit;padding:.6rem 1rem;margin-right:.5rem}</style>
${main}
</html>
`,
});

/** The 3-D Secure page: one form, whose two buttons send `result`. */
export function challengePage(amountMinor: bigint, currency: string): HttpResponse {
  return page(
    200,
    `<h1>Is this you?</h1>
<p>A shop asks for ${amountMinor} ${currency.toUpperCase()} (smallest units) on your test card.</p>
<form method="post">
<button name="result" value="authenticated">Yes, it is me</button>
<button name="result" value="failed">No</button>
</form>`,
  );
}

export const notePage = (status: number, text: string): HttpResponse => page(status, `<p>${text}</p>`);
