import type { publicApi } from '@gp/contracts';
import type { HttpHead, Route } from '@gp/http';
import type { Caller } from '../../app/callers/caller.ts';
import type { OriginDirectory } from '../../app/directories/origin-directory.ts';
import { expressPath } from './paths.ts';

/** How long a browser caches the permission; a removed registration takes effect within the same time. */
const REMEMBER_SECONDS = 600;
const SENT = 'Authorization, Content-Type, Idempotency-Key';
const SHOWN =
  'Request-Id, Retry-After, Idempotent-Replayed, Original-Request, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Reason';

const ALLOW = 'Access-Control-Allow-Origin';

/** Decides which pages may call the routes of session tokens. Routes of secret keys alone do not use it. */
export type CrossOrigin = {
  /**
   * Adds to any response whether the browser's page may read it: when its origin is ours or registered by the
   * authenticated caller; without an authenticated caller (for example an expired token), when any merchant
   * registered it. No page may read a response to a secret key.
   */
  setHeaders(head: HttpHead, caller: Caller | undefined): Promise<void>;
  /** Answers preflight requests, which browsers send without a token, so the caller is unknown. */
  preflights(operations: readonly publicApi.Operation[]): Route[];
};

/** `home` is the origin of our own page and widget; they may always call. */
export function crossOrigin(o: { origins: OriginDirectory; home: string }): CrossOrigin {
  const home = new URL(o.home).origin;
  const isAllowed = async (origin: string, caller: Caller | undefined): Promise<boolean> => {
    if (caller?.kind === 'secret_key') return false;
    if (origin === home) return true;
    return caller ? o.origins.isRegistered(caller, origin) : o.origins.isRegisteredByAnyone(origin);
  };
  const isReadable = async (
    { headers: { origin } }: HttpHead,
    caller: Caller | undefined,
  ): Promise<boolean> =>
    // Without a database the origin is not allowed; the response itself reports the failure.
    origin !== undefined && isAllowed(origin, caller).catch(() => false);

  return {
    async setHeaders(head, caller) {
      head.setHeader('Vary', 'Origin');
      if (!(await isReadable(head, caller))) return;
      head.setHeader(ALLOW, head.headers.origin ?? '');
      head.setHeader('Access-Control-Expose-Headers', SHOWN);
    },
    preflights: (operations) =>
      [...methodsByPath(operations)].map(([path, methods]) => ({
        method: 'OPTIONS',
        path: expressPath(path),
        async handle(request) {
          const headers = {
            Vary: 'Origin',
            ...((await isReadable(request, undefined)) && {
              [ALLOW]: request.headers.origin ?? '',
              'Access-Control-Allow-Methods': methods.join(', '),
              'Access-Control-Allow-Headers': SENT,
              'Access-Control-Max-Age': String(REMEMBER_SECONDS),
            }),
          };
          return { status: 204, headers };
        },
      })),
  };
}

function methodsByPath(operations: readonly publicApi.Operation[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method, accepts } of operations) {
    if (accepts.includes('session_token')) methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return methods;
}
