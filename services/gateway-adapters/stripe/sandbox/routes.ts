import { join } from 'node:path';
import type { HttpRequest, HttpResponse, Route } from '@gp/http';
import {
  answering,
  framePage,
  serveClassicScript,
  serveModules,
  type Form,
  type Reply,
  type Stage,
} from '@gp/psp-sandbox/kit';
import { authenticate, type Caller } from './account.ts';
import { confirm } from './authorise.ts';
import { capture } from './capture.ts';
import { answerChallenge, showChallenge } from './challenge.ts';
import { dialect, unknownPath } from './errors.ts';
import { prepare } from './prepare.ts';
import {
  listDisputes,
  listRefunds,
  retrieveAccount,
  retrieveCharge,
  retrieveEvent,
  retrieveIntent,
  retrieveRefund,
} from './query.ts';
import { refund } from './refund.ts';
import { readForm } from './request.ts';
import { cancel } from './void.ts';

type Handler = (stage: Stage, caller: Caller, request: HttpRequest, form: Form) => Promise<Reply>;

/** The browser library calls from the page it is in; its key and the client secret decide what it may read. */
const FOR_ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/**
 * Returns the routes of the PaymentIntents API under a prefix: none on its own port, `/gateway_a` on the main one.
 */
export function apiRoutes(stage: Stage, prefix: string): Route[] {
  const call =
    (handle: Handler) =>
    async (request: HttpRequest): Promise<HttpResponse> => {
      const response = await answering(dialect.broken, async () => {
        const form = readForm(request.rawBody.toString('utf8'));
        const caller = await authenticate(stage.accounts, request, form);
        return headed(await handle(stage, caller, request, form), caller, request);
      });
      return { ...response, headers: { ...response.headers, ...FOR_ANY_ORIGIN } };
    };
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
  const unknown: Handler = (_stage, _caller, { method, path }) =>
    Promise.resolve({ kind: 'answer', answer: unknownPath(method, path) });
  return [
    post('/v1/payment_intents', prepare),
    get('/v1/payment_intents/:id', retrieveIntent),
    post('/v1/payment_intents/:id/confirm', confirm),
    post('/v1/payment_intents/:id/capture', capture),
    post('/v1/payment_intents/:id/cancel', cancel),
    post('/v1/refunds', refund),
    get('/v1/refunds', listRefunds),
    get('/v1/refunds/:id', retrieveRefund),
    get('/v1/charges/:id', retrieveCharge),
    get('/v1/disputes', listDisputes),
    get('/v1/events/:id', retrieveEvent),
    get('/v1/account', retrieveAccount),
    get('/v1/*rest', unknown),
    post('/v1/*rest', unknown),
  ];
}

const browser = join(import.meta.dirname, 'browser');

/** The parts of `window.Stripe` in the order of their dependencies. */
const libraryParts = ['errors', 'sheet', 'express', 'element', 'requests', 'challenge', 'stripe'].map(
  (name) => join(browser, `library/${name}.ts`),
);

/** Returns the routes for payers' browsers. */
export function pageRoutes(stage: Stage): Route[] {
  const path = '/gateway_a/3ds/:id/:token';
  return [
    {
      method: 'GET',
      path: '/gateway_a/elements/card',
      handle: () => Promise.resolve(framePage('Card', '/gateway_a/assets/card.ts')),
    },
    ...serveModules(browser, '/gateway_a/assets'),
    serveClassicScript(libraryParts, '/gateway_a/js'),
    { method: 'GET', path, handle: (request) => showChallenge(stage, request) },
    {
      method: 'POST',
      path,
      handle: (request) => answering(dialect.broken, () => answerChallenge(stage, request)),
    },
  ];
}

function headed(reply: Reply, { scope }: Caller, { headers }: HttpRequest): Reply {
  if (reply.kind === 'hang_up') return reply;
  const key = headers['idempotency-key'];
  const own = {
    ...(scope.startsWith('acct_') && { 'Stripe-Account': scope }),
    ...(typeof key === 'string' && /^[\x20-\x7e]+$/.test(key) && { 'Idempotency-Key': key }),
  };
  return { ...reply, answer: { ...reply.answer, headers: { ...own, ...reply.answer.headers } } };
}
