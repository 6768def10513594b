import type { Mode } from '@gp/contracts';
import type { HttpHead, Route } from '@gp/http';

const ALLOW = 'Access-Control-Allow-Origin';
const SHOWN = 'Request-Id, Retry-After, ETag';
const SENT = 'Authorization, Last-Event-ID, If-None-Match';
/** How long a browser caches the permission. */
const REMEMBER_SECONDS = 600;

type Owner = { readonly merchant_id: string; readonly mode: Mode };

/** Decides which pages may use the live routes: our own, and those on origins of the token's merchant. */
export type LiveOrigins = {
  /**
   * Adds the permission to any response. Without an authenticated caller, a page on any registered origin may read
   * the refusal.
   */
  setHeaders(head: HttpHead, owner: Owner | undefined): Promise<void>;
  preflight(path: string, method?: 'GET' | 'DELETE'): Route;
};

export function liveOrigins(o: {
  isRegistered: (owner: Owner, origin: string) => Promise<boolean>;
  isRegisteredByAnyone: (origin: string) => Promise<boolean>;
}): LiveOrigins {
  const isReadable = async (
    { headers: { origin } }: HttpHead,
    owner: Owner | undefined,
  ): Promise<boolean> => {
    if (origin === undefined) return false;
    // Without a database the origin is not allowed; the response itself reports the failure.
    return (owner ? o.isRegistered(owner, origin) : o.isRegisteredByAnyone(origin)).catch(() => false);
  };
  return {
    async setHeaders(head, owner) {
      head.setHeader('Vary', 'Origin, Accept');
      if (!(await isReadable(head, owner))) return;
      head.setHeader(ALLOW, head.headers.origin ?? '');
      head.setHeader('Access-Control-Expose-Headers', SHOWN);
    },
    preflight: (path, method = 'GET') => ({
      method: 'OPTIONS',
      path,
      async handle(request) {
        const leave = {
          [ALLOW]: request.headers.origin ?? '',
          'Access-Control-Allow-Methods': method,
          'Access-Control-Allow-Headers': SENT,
          'Access-Control-Max-Age': String(REMEMBER_SECONDS),
        };
        return {
          status: 204,
          headers: { Vary: 'Origin', ...((await isReadable(request, undefined)) && leave) },
        };
      },
    }),
  };
}
