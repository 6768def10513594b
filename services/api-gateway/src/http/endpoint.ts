import type { publicApi } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { admittedRoute, type HttpRequest, type HttpResponse, type Route } from '@gp/http';
import type { Authenticate } from '../app/authenticate.ts';
import type { Caller } from '../app/caller.ts';
import type { Admission } from './admission.ts';
import { UUID } from './formats.ts';

export type Handle = (request: HttpRequest, caller: Caller) => Promise<HttpResponse>;

/**
 * The route of an operation. Nobody reaches its handler without one of the credentials the operation names and within
 * his limits, and nobody's body is read before that.
 */
export function endpoint(
  { authenticate, admit }: { authenticate: Authenticate; admit: Admission },
  operation: publicApi.Operation,
  handle: Handle,
): Route {
  const { method, path, accepts } = operation;
  return admittedRoute({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    async admit(head) {
      const caller = await authenticate(head.headers.authorization, accepts);
      admit(head, caller, operation);
      return caller;
    },
    handle,
  });
}

/** An id in the path; what is no UUID is the id of nothing. */
export function pathId(request: HttpRequest, noun: string, name = 'id'): string {
  const id = request.params[name] ?? '';
  if (!UUID.test(id)) throw notFound(noun);
  return id.toLowerCase();
}
