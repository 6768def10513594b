import { jsonPost, type PlayedGateway, type Stage } from '../app/gateway.ts';
import { TEST_CARDS } from '../domain/card.ts';
import { credentialsOf, newAccount } from './account.ts';
import { signedHeaders } from './callbacks.ts';
import { act } from './external.ts';
import { apiRoutes, pageRoutes } from './routes.ts';
import { lapse, settle } from './settle.ts';

/** A card encrypted in the browser, decrypted by the relay on its way to a processor. */
export function gatewayB(stage: Stage): PlayedGateway {
  return {
    code: 'gateway_b',
    overview: {
      cards: TEST_CARDS,
      notes: [
        'A 3-D Secure card is answered with authentication_required: this gateway has no page to ask on.',
      ],
    },
    routes: [...apiRoutes(stage, '/gateway_b/processor'), ...pageRoutes(stage)],
    newAccount,
    credentialsOf,
    posted: (body, secret, at) => jsonPost(body, signedHeaders(body, secret, at)),
    resendsCallbacks: true,
    settle,
    lapse,
    act,
  };
}
