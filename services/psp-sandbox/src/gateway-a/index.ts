import { jsonPost, type PlayedGateway, type Stage } from '../app/gateway.ts';
import { TEST_CARDS } from '../domain/card.ts';
import { credentialsOf, newAccount } from './account.ts';
import { signedHeaders } from './callbacks.ts';
import { act } from './external.ts';
import { apiRoutes, pageRoutes } from './routes.ts';
import { lapse, settle } from './settle.ts';

export { apiRoutes as gatewayARoutes } from './routes.ts';

/** PaymentIntents on connected accounts: the card goes from the browser to the gateway. */
export function gatewayA(stage: Stage): PlayedGateway {
  return {
    code: 'gateway_a',
    overview: { cards: TEST_CARDS, notes: ['3-D Secure opens over the page and asks yes or no.'] },
    routes: [...apiRoutes(stage, '/gateway_a'), ...pageRoutes(stage)],
    newAccount,
    credentialsOf,
    posted: (body, secret, at) => jsonPost(body, signedHeaders(body, secret, at)),
    resendsCallbacks: true,
    settle,
    lapse,
    act,
  };
}
