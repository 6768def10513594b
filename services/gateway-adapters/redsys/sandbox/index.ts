import type { PlayGateway } from '@gp/psp-sandbox/kit';
import { credentialsOf, newAccount } from './account.ts';
import { posted } from './callbacks.ts';
import { act, lapse } from './external.ts';
import type { PaymentC } from './payment.ts';
import { routesOf } from './routes.ts';

/** A bank's own payment page, reached with a signed form, and its REST interface. */
export const play: PlayGateway = (stage) => {
  const { books, accounts } = stage;
  return {
    routes: routesOf(stage),
    newAccount,
    credentialsOf,
    posted,
    // A notification goes where its order said, once.
    async endpointOf({ pspReference, account }) {
      const payment = (await books.find('gateway_c', pspReference)) as PaymentC | undefined;
      const url = payment?.details.notifyUrl;
      const secret = (await accounts.find('gateway_c', account))?.secrets['secret_key'];
      return url && secret ? { url, secret } : undefined;
    },
    resendsCallbacks: false,
    // Nothing is ever accepted for later.
    settle: () => Promise.resolve(),
    lapse,
    act,
  };
};
