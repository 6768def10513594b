import type { Mode } from '@gp/contracts';
import type { Route } from '@gp/http';

/** The mode and path prefix of a route; routes take the mode only from their own path. */
export type AtMode = { readonly mode: Mode; readonly at: (path: string) => string };

/** Returns the same routes once below /api/test and once below /api/live. */
export function perMode(buildRoutes: (o: AtMode) => Route[]): Route[] {
  return (['test', 'live'] as const).flatMap((mode) =>
    buildRoutes({ mode, at: (path) => `/api/${mode}/${path}` }),
  );
}

/** Returns the merchant and mode as other services expect them in a request. */
export function toScope({ merchantId }: { readonly merchantId: string }, mode: Mode) {
  return { merchant_id: merchantId, mode };
}
