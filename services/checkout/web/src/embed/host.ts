import type { Bootstrap } from '../bootstrap.ts';
import { findBank } from '../gateways/find-bank.ts';
import type { Host } from '../host.ts';
import { keepReturnAddress } from './server.ts';
import type { Session, ShopPage } from './shop-page.ts';

/** The API takes no longer address to return to. */
const LONGEST_URL = 2_000;

/** The merchant's page as the payment form's host. */
export function shopHost(page: ShopPage, session: Session, { gateway }: Bootstrap): Host {
  const { groupPaymentId, payerEmail, pageUrl } = session;
  let { token } = session;
  const bank = findBank(gateway);
  return {
    kind: 'widget',
    groupPaymentId,
    ...(payerEmail !== undefined && { payerEmail }),
    token: () => token,
    async refreshToken(refused) {
      if (refused === token) ({ token } = await page.refresh());
      return token;
    },
    // An address that the API would not take is shortened: the payer then comes back to the shop's first page.
    returnUrl: () => (pageUrl.length > LONGEST_URL ? new URL(pageUrl).origin : pageUrl),
    onComplete: (group) => page.send({ type: 'complete', group }),
    onError: (error) => page.send({ type: 'error', ...error }),
    async navigateTop(form, { paymentIntentId }) {
      if (bank === undefined || new URL(form.url).origin !== bank) throw new Error('this is not the bank');
      // On failure the payer returns to the hosted page, which shows the same status.
      await keepReturnAddress({ token, paymentIntentId, pageUrl }).catch(() => undefined);
      page.send({ type: 'bank', form });
    },
  };
}
