import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response } from '@gp/bundled/express';
import { AppError } from '@gp/errors';
import { readBody } from './body.ts';
import { assertSaneHead, buildHead, newRequestId, readQuery, toShownPath } from './head.ts';
import { encoded, failure, send } from './response.ts';
import type { Around, HttpOutcome, HttpResponse, RequestInfo, Route } from './types.ts';

export type HttpAppOptions = {
  readonly routes: readonly Route[];
  /** 256 kB by default. */
  readonly bodyLimitBytes?: number;
  /** Refuse bodies that are not JSON with 415; true by default. */
  readonly jsonOnly?: boolean;
  readonly around?: Around;
  /** Proxies whose X-Forwarded-For names the client, in express' `trust proxy` syntax; none by default. */
  readonly trustProxy?: string;
  /** The address under which clients reach the service; over https, every response forbids browsers plain http. */
  readonly publicUrl?: string;
  /** The address of the reference; errors link to the explanation of their code there. */
  readonly docsUrl?: string;
  /** Time after which a reader that takes nothing of a stream is cut off; 30 s by default. */
  readonly stalledMs?: number;
};

const plainly: Around = (_info, run) => run();

/** A request listener that can also end its streams of events, which would otherwise outlast any grace. */
export type HttpApp = RequestListener & {
  endStreams(): void;
  /** The address of the reference, for refusals of what never became a request. */
  readonly docsUrl?: string;
};

/** The state of a request that express' layers share. */
type Locals = {
  requestId: string;
  signal: AbortSignal;
  allowed: Set<string>;
  notes: Record<string, string>;
  rawBody?: Buffer;
};

/**
 * Builds the HTTP application of a service. Every response, good or bad, carries `Request-Id`; every error has the
 * documented shape; no request, however hostile, yields a stack trace. Throws on a malformed route path.
 */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { bodyLimitBytes = 256 * 1024, jsonOnly = true, around = plainly, docsUrl } = options;
  const streams = { ends: new Set<() => void>(), areOver: false, stalledMs: options.stalledMs ?? 30_000 };

  async function conclude(
    req: Request,
    res: Response<unknown, Locals>,
    route: string | undefined,
    work: () => Promise<HttpResponse>,
  ): Promise<void> {
    const { requestId, signal, notes } = res.locals;
    const { method, path, headers, ip: remoteAddress = '' } = req;
    const run = (): Promise<HttpOutcome> =>
      work()
        .then(encoded)
        .catch((cause: unknown) => failure(cause, requestId, docsUrl));
    const query = readQuery(req.url);
    const receivedBody = (): Buffer | undefined => res.locals.rawBody;
    const sender = { headers, remoteAddress, signal };
    const info: RequestInfo = { method, route, path, query, requestId, ...sender, notes, receivedBody };
    // An observer that fails costs its request a 500, never the process.
    const outcome = await Promise.resolve()
      .then(() => around(info, run))
      .then(encoded)
      .catch((cause: unknown) => failure(cause, requestId, docsUrl));
    send(res, outcome, streams);
  }

  async function serve(route: Route, req: Request, res: Response<unknown, Locals>): Promise<HttpResponse> {
    const { requestId, signal } = res.locals;
    const setHeader = (name: string, value: string): void => void res.setHeader(name, value);
    const note = (notes: Readonly<Record<string, string>>): void =>
      void Object.assign(res.locals.notes, notes);
    const head = buildHead(req, { requestId, signal, setHeader, note });
    const admitted = await route.admit?.(head);
    const limits = { limitBytes: bodyLimitBytes, jsonOnly: route.jsonOnly ?? jsonOnly };
    const rawBody = await readBody(req, limits);
    res.locals.rawBody = rawBody;
    return route.handle({ ...head, rawBody, admitted });
  }

  const app = configured(options.trustProxy);
  if (options.publicUrl?.startsWith('https:')) app.use(requireHttps);
  app.use(begin);
  for (const [path, routes] of byPath(options.routes)) {
    app.all(path, async (req: Request, res: Response<unknown, Locals>, next: NextFunction) => {
      const method = req.method === 'HEAD' && !routes.has('HEAD') ? 'GET' : req.method;
      const route = routes.get(method);
      if (route) return conclude(req, res, path, () => serve(route, req, res));
      for (const allowed of routes.keys()) res.locals.allowed.add(allowed);
      return next();
    });
  }
  app.use((req: Request, res: Response<unknown, Locals>) => {
    const { allowed } = res.locals;
    if (allowed.size === 0) throw new AppError('route_not_found', explainPath(req, docsUrl));
    if (allowed.has('GET')) allowed.add('HEAD');
    throw new AppError('method_not_allowed', { allow: [...allowed].sort() });
  });
  // Four parameters make it the error handler of express.
  app.use((error: unknown, req: Request, res: Response<unknown, Locals>, _next: NextFunction) =>
    conclude(req, res, undefined, () => Promise.reject(error)),
  );

  const listener = (req: IncomingMessage, res: ServerResponse): void => void app(req, res);
  const endStreams = (): void => {
    streams.areOver = true;
    streams.ends.forEach((end) => end());
  };
  return Object.assign(listener, { endStreams, ...(docsUrl !== undefined && { docsUrl }) });
}

/** A page for payers has secrets in its paths: only an interface with a reference repeats them. */
function explainPath({ method, path }: Request, docsUrl: string | undefined): { hint?: string } {
  if (docsUrl === undefined) return {};
  return { hint: `there is no ${method} ${toShownPath(path)}: ${docsUrl} has every path` };
}

function configured(trustProxy: string | undefined): express.Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing').enable('strict routing');
  if (trustProxy !== undefined) app.set('trust proxy', trustProxy);
  return app;
}

/** Two years, the least that the preload lists of browsers take. */
const HTTPS_ONLY = 'max-age=63072000; includeSubDomains';

function requireHttps(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Strict-Transport-Security', HTTPS_ONLY);
  next();
}

/** One for all responses: an error for each would cost a stack trace that nobody reads. */
const OVER = new Error('the response is over');

function begin(req: Request, res: Response<unknown, Locals>, next: NextFunction): void {
  const gone = new AbortController();
  res.locals = { requestId: newRequestId(), signal: gone.signal, allowed: new Set(), notes: {} };
  res.once('close', () => gone.abort(OVER));
  res.setHeader('Request-Id', res.locals.requestId);
  // Responses hold client secrets, so nobody may store or sniff them, unless a route allows it.
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  assertSaneHead(req);
  next();
}

function byPath(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, Route>> {
  const paths = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = paths.get(route.path) ?? new Map<string, Route>();
    if (methods.has(route.method)) throw new Error(`two routes for ${route.method} ${route.path}`);
    paths.set(route.path, methods.set(route.method, route));
  }
  return paths;
}
