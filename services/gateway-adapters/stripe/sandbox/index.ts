import { buildJsonRequest, serve, type PlayGateway } from '@gp/psp-sandbox/kit';
import { listCredentials, newAccount } from './account.ts';
import { signedHeaders } from './callbacks.ts';
import { act } from './external.ts';
import { pay } from './payer.ts';
import { apiRoutes, pageRoutes } from './routes.ts';
import { lapse, settle } from './settle.ts';

/** Plays gateway_a, PaymentIntents on connected accounts: the browser sends the card to the gateway. */
export const play: PlayGateway = (stage) => {
  return {
    routes: [...apiRoutes(stage, '/gateway_a'), ...pageRoutes(stage)],
    // The vendor's SDK does not support a path prefix.
    servers: [{ port: 'gateway-a', open: (o) => serve({ ...o, routes: apiRoutes(stage, '') }) }],
    newAccount,
    listCredentials,
    buildRequest: (body, secret, at) => buildJsonRequest(body, signedHeaders(body, secret, at)),
    resendsCallbacks: true,
    settle,
    lapse,
    act,
    pay: (client, payer) => pay(stage, client, payer),
  };
};
