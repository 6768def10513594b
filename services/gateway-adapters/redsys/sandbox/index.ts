import type { PlayGateway } from '@gp/psp-sandbox/kit';
import { listCredentials, newAccount } from './account.ts';
import { buildRequest } from './callbacks.ts';
import { act } from './external.ts';
import { pay } from './payer.ts';
import type { PaymentC } from './payment.ts';
import { apiRoutes, pageRoutes } from './routes.ts';
import { lapse, settle } from './settle.ts';

/** Plays gateway_c: a bank's own payment page, opened with a signed form, and its REST interface. */
export const play: PlayGateway = (stage) => {
  const { books, accounts } = stage;
  return {
    routes: [...apiRoutes(stage), ...pageRoutes(stage)],
    newAccount,
    listCredentials,
    buildRequest,
    // A notification goes to the address that its order named, once.
    async findEndpoint({ pspReference, account }) {
      const payment = (await books.find('gateway_c', pspReference)) as PaymentC | undefined;
      const url = payment?.details.notifyUrl;
      const secret = (await accounts.find('gateway_c', account))?.secrets['secret_key'];
      return url && secret ? { url, secret } : undefined;
    },
    resendsCallbacks: false,
    settle,
    lapse,
    act,
    pay: (client, payer) => pay(stage, client, payer),
  };
};
