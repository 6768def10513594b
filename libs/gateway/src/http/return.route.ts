import type { HttpResponse, Route } from '@gp/http';
import type { Returned } from '../app/receive-return.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `GET /returns/<psp>/{attempt}`: the target to which the gateway's page sends the payer's browser. 303 to the merchant's
 * own address, or a page that explains the next step; 400 for forged parameters, 404 for an unknown payment.
 */
export function returnRoute(o: {
  psp: string;
  receive: (request: { attemptId: string; query: URLSearchParams }) => Promise<Returned>;
}): Route {
  return {
    method: 'GET',
    path: `/returns/${o.psp}/:attempt_id`,
    async handle({ params, query }) {
      const attemptId = params['attempt_id'] ?? '';
      const returned = UUID.test(attemptId)
        ? await o.receive({ attemptId, query })
        : { kind: 'unknown' as const };
      switch (returned.kind) {
        case 'unknown':
          return page(404, 'There is no such payment here.');
        case 'forged':
          return page(400, 'This address has been changed on its way. Go back to the shop and look there.');
        case 'back':
          return returned.address === null
            ? page(
                200,
                'Your bank has sent you back. You can close this page: the shop hears of your payment.',
              )
            : { status: 303, headers: { Location: returned.address, 'Cache-Control': 'no-store' } };
      }
    },
  };
}

const page = (status: number, text: string): HttpResponse => ({
  status,
  contentType: 'text/html; charset=utf-8',
  headers: { 'Content-Security-Policy': "default-src 'none'", 'Cache-Control': 'no-store' },
  body: `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Payment</title>\n<p>${text}</p>\n</html>\n`,
});
