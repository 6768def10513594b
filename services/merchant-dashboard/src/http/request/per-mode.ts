import type { Mode } from '@gp/contracts';
import type { Route } from '@gp/http';

/** Where a merchant's things of one mode are; no route takes the mode from anywhere but its own path. */
export type AtMode = { readonly mode: Mode; readonly at: (path: string) => string };

/** The same routes once below /api/test and once below /api/live. */
export function perMode(routesOf: (o: AtMode) => Route[]): Route[] {
  return (['test', 'live'] as const).flatMap((mode) =>
    routesOf({ mode, at: (path) => `/api/${mode}/${path}` }),
  );
}

/** How the other services are told whose it is. */
export function scopeOf({ merchantId }: { readonly merchantId: string }, mode: Mode) {
  return { merchant_id: merchantId, mode };
}
