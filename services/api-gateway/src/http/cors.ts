import type { publicApi } from '@gp/contracts';
import type { HttpHead, Route } from '@gp/http';
import type { Caller } from '../app/caller.ts';
import type { OriginDirectory } from '../app/origin-directory.ts';
import { expressPath } from './paths.ts';

/** How long a browser remembers what it may do; a registration is taken back within the same time. */
const REMEMBER_SECONDS = 600;
const SENT = 'Authorization, Content-Type, Idempotency-Key';
const SHOWN =
  'Request-Id, Retry-After, Idempotent-Replayed, Original-Request, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Reason';

const ALLOW = 'Access-Control-Allow-Origin';

/** Which pages may call the routes that take session tokens. Routes of secret keys alone know nothing of this. */
export type CrossOrigin = {
  /**
   * Tells the browser, in any answer, whether its page may read it: when its origin is ours or the proven caller's;
   * while nobody is proven (a token that has ended, say) when it is anybody's. A secret key's answer is for no page.
   */
  tell(head: HttpHead, caller: Caller | undefined): Promise<void>;
  /** Answers what browsers ask before they send a token: they do not say whose. */
  preflights(operations: readonly publicApi.Operation[]): Route[];
};

/** `home` is where our own page and widget live; they may always call. */
export function crossOrigin(o: { origins: OriginDirectory; home: string }): CrossOrigin {
  const home = new URL(o.home).origin;
  const isAllowed = async (origin: string, caller: Caller | undefined): Promise<boolean> => {
    if (caller?.kind === 'secret_key') return false;
    if (origin === home) return true;
    return caller ? o.origins.isOf(caller, origin) : o.origins.isAnybodys(origin);
  };
  const isTold = async ({ headers: { origin } }: HttpHead, caller: Caller | undefined): Promise<boolean> =>
    // Without a database nobody is told more than the answer itself, which says so.
    origin !== undefined && isAllowed(origin, caller).catch(() => false);

  return {
    async tell(head, caller) {
      head.setHeader('Vary', 'Origin');
      if (!(await isTold(head, caller))) return;
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
            ...((await isTold(request, undefined)) && {
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
