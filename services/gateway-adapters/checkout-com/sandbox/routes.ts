import { join } from 'node:path';
import type { HttpRequest, HttpResponse, Route } from '@gp/http';
import { answering, framePage, serveModules, type Reply, type Stage } from '@gp/psp-sandbox/kit';
import { authenticate } from './account.ts';
import { requestPayment } from './authorise.ts';
import { capture } from './capture.ts';
import { answerChallenge, showChallenge } from './challenge.ts';
import { dialect, missing } from './errors.ts';
import { appKeys, serverKeys } from './prepare.ts';
import { listActions, retrievePayment, searchPayments } from './query.ts';
import { refund } from './refund.ts';
import { voidPayment } from './void.ts';

type Handler = (stage: Stage, channel: string, request: HttpRequest) => Promise<Reply>;

/** Returns the routes of the processor's API under a prefix. */
export function apiRoutes(stage: Stage, prefix: string): Route[] {
  const call =
    (handle: Handler) =>
    (request: HttpRequest): Promise<HttpResponse> =>
      answering(dialect.broken, async () =>
        handle(stage, await authenticate(stage.accounts, request), request),
      );
  const post = (path: string, handle: Handler): Route => ({
    method: 'POST',
    path: prefix + path,
    handle: call(handle),
  });
  const get = (path: string, handle: Handler): Route => ({
    method: 'GET',
    path: prefix + path,
    handle: call(handle),
  });
  const unknown: Handler = () => Promise.reject(missing());
  return [
    post('/payments', requestPayment),
    get('/payments', searchPayments),
    get('/payments/:id', retrievePayment),
    get('/payments/:id/actions', listActions),
    post('/payments/:id/captures', capture),
    post('/payments/:id/voids', voidPayment),
    post('/payments/:id/refunds', refund),
    get('/*rest', unknown),
    post('/*rest', unknown),
  ];
}

/** Returns the routes for browsers and for servers that fetch keys. */
export function pageRoutes(stage: Stage): Route[] {
  const keys = (path: string, handle: (stage: Stage, request: HttpRequest) => Promise<Reply>): Route => ({
    method: 'GET',
    path,
    handle: (request) => answering(dialect.broken, () => handle(stage, request)),
  });
  const path = '/gateway_b/3ds/:id/:token';
  return [
    keys('/gateway_b/keys/:team/apps/:app', appKeys),
    keys('/gateway_b/cages/key', serverKeys),
    ...serveModules(join(import.meta.dirname, 'browser'), '/gateway_b/assets'),
    {
      method: 'GET',
      path: '/gateway_b/field',
      handle: () => Promise.resolve(framePage('Card', '/gateway_b/assets/card.ts')),
    },
    { method: 'GET', path, handle: (request) => showChallenge(stage, request) },
    { method: 'POST', path, handle: (request) => answerChallenge(stage, request) },
  ];
}
