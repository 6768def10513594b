import { UUID, type publicApi } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { admittedRoute, type HttpHead, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import type { Authenticate } from '../../app/callers/authenticate.ts';
import type { Caller } from '../../app/callers/caller.ts';
import type { Admission } from './admission.ts';
import type { CrossOrigin } from './cors.ts';
import { withDeprecation } from './deprecation.ts';
import { expressPath } from './paths.ts';

export type Handle = (request: HttpRequest, caller: Caller) => Promise<HttpResponse>;

/**
 * Returns the route of an operation. A request reaches its handler only with one of the credentials the operation
 * names and within its limits, its body is not read before that, and a session token reaches only its own group,
 * whatever the handler checks.
 */
export function endpoint(
  { authenticate, admit, cors }: { authenticate: Authenticate; admit: Admission; cors: CrossOrigin },
  operation: publicApi.Operation,
  handle: Handle,
): Route {
  const { method, path, accepts } = operation;
  return admittedRoute({
    method,
    path: expressPath(path),
    async admit(head) {
      const { authorization, origin } = head.headers;
      const isFromOwnPage = isOwnOrigin(head.headers);
      const credentials = {
        authorization,
        origin,
        isFromOwnPage,
        address: head.remoteAddress,
        note: head.note,
      };
      const known = authenticate(credentials, operation);
      // Set before any refusal: a page that cannot read its 401 would not know that it needs a new token.
      if (accepts.includes('session_token')) await cors.setHeaders(head, await known.catch(() => undefined));
      const caller = await known;
      admit(head, caller, operation);
      return caller;
    },
    async handle(request, caller) {
      if (caller.kind === 'session_token' && pathId(request, 'group payment') !== caller.groupId)
        throw notFound('group payment');
      return withDeprecation(await handle(request, caller), operation);
    },
  });
}

/** Returns true for a request of a page that this host served. No page can set these headers for another one. */
function isOwnOrigin({ origin, host, 'sec-fetch-site': site }: HttpHead['headers']): boolean {
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && /^https?:\/\/(.*)$/.exec(origin)?.[1] === host;
}

/** Returns an id of the path; throws `not_found` for text that is no UUID. */
export function pathId(request: HttpRequest, noun: string, name = 'id'): string {
  const id = request.params[name] ?? '';
  if (!UUID.test(id)) throw notFound(noun);
  return id.toLowerCase();
}
