import { join } from 'node:path';
import type { HttpRequest, HttpResponse, Route } from '@gp/http';
import { answering, serveModules, type Reply, type Stage } from '@gp/psp-sandbox/kit';
import { showCardPage, submitCard } from './authorise.ts';
import { answerChallenge, showChallenge } from './challenge.ts';
import { dialect, pageDialect } from './errors.ts';
import { operate } from './operate.ts';
import { openOrder } from './prepare.ts';
import { lookUp } from './query.ts';

/** What merchants' servers call, and what payers' browsers see. */
export function routesOf(stage: Stage): Route[] {
  const rest = (path: string, handle: (stage: Stage, request: HttpRequest) => Promise<Reply>): Route => ({
    method: 'POST',
    path: `/gateway_c/sis/rest/${path}`,
    handle: (request) => answering(dialect.broken, () => handle(stage, request)),
  });
  const seen = (
    method: 'GET' | 'POST',
    path: string,
    handle: (stage: Stage, request: HttpRequest) => Promise<Reply | HttpResponse>,
  ): Route => ({
    method,
    path: `/gateway_c/${path}`,
    handle: (request) => answering(pageDialect.broken, () => handle(stage, request)),
  });
  return [
    rest('trataPeticionREST', operate),
    rest('consultaOperacionesREST', lookUp),
    ...serveModules(join(import.meta.dirname, 'browser'), '/gateway_c/assets'),
    seen('POST', 'sis/realizarPago', openOrder),
    seen('GET', 'bank/:order/:token', showCardPage),
    seen('POST', 'bank/:order/:token', submitCard),
    seen('GET', '3ds/:order/:token', showChallenge),
    seen('POST', '3ds/:order/:token', answerChallenge),
  ];
}
