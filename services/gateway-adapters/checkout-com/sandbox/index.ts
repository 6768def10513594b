import { buildJsonRequest, type PlayGateway } from '@gp/psp-sandbox/kit';
import { listCredentials, newAccount } from './account.ts';
import { signedHeaders } from './callbacks.ts';
import { encryptForTester } from './encrypt.ts';
import { act } from './external.ts';
import { openRelay } from './relay.ts';
import { authenticate, pay } from './payer.ts';
import { apiRoutes, pageRoutes } from './routes.ts';
import { lapse, settle } from './settle.ts';

/** Plays gateway_b: a card is encrypted in the browser and decrypted by the relay on its way to a processor. */
export const play: PlayGateway = (stage) => {
  return {
    routes: [...apiRoutes(stage, '/gateway_b/processor'), ...pageRoutes(stage)],
    servers: [{ port: 'relay', open: (o) => openRelay({ ...o, accounts: stage.accounts }) }],
    controls: { encrypt: (request) => encryptForTester(stage, request) },
    newAccount,
    listCredentials,
    buildRequest: (body, secret, at) => buildJsonRequest(body, signedHeaders(body, secret, at)),
    resendsCallbacks: true,
    settle,
    lapse,
    act,
    pay: (client, payer) => pay(stage, client, payer),
    authenticate: (page, payer) => authenticate(stage, page, payer),
  };
};
