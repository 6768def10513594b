import { join } from 'node:path';
import type { HttpRequest, HttpResponse, Route } from '@gp/http';
import { answering, serveModules, type Reply, type Stage } from '@gp/psp-sandbox/kit';
import { showCardPage, submitCard } from './authorise.ts';
import { answerChallenge, showChallenge } from './challenge.ts';
import { dialect, pageDialect } from './errors.ts';
import { operate } from './operate.ts';
import { openOrder } from './prepare.ts';
import { lookUp } from './query.ts';

type Handler = (stage: Stage, request: HttpRequest) => Promise<Reply | HttpResponse>;

/** Returns the routes of the REST interface, which merchants' servers call. */
export function apiRoutes(stage: Stage): Route[] {
  const post = (path: string, handle: Handler): Route => ({
    method: 'POST',
    path: `/gateway_c/sis/rest/${path}`,
    handle: (request) => answering(dialect.broken, () => handle(stage, request)),
  });
  return [post('trataPeticionREST', operate), post('consultaOperacionesREST', lookUp)];
}

/** Returns the routes for payers' browsers. */
export function pageRoutes(stage: Stage): Route[] {
  const page = (method: 'GET' | 'POST', path: string, handle: Handler): Route => ({
    method,
    path: `/gateway_c/${path}`,
    handle: (request) => answering(pageDialect.broken, () => handle(stage, request)),
  });
  return [
    ...serveModules(join(import.meta.dirname, 'browser'), '/gateway_c/assets'),
    page('POST', 'sis/realizarPago', openOrder),
    page('GET', 'bank/:order/:token', showCardPage),
    page('POST', 'bank/:order/:token', submitCard),
    page('GET', '3ds/:order/:token', showChallenge),
    page('POST', '3ds/:order/:token', answerChallenge),
  ];
}
