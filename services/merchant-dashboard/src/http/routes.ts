import type { Route } from '@gp/http';
import type { DashboardParts } from '../app/ports.ts';
import { accountRoutes } from './account.routes.ts';
import { gatewayRoutes } from './gateways.routes.ts';
import { keyRoutes } from './keys.routes.ts';
import { originRoutes } from './origins.routes.ts';
import { sessionRoutes } from './sessions.routes.ts';

/** Every route of the dashboard's backend. */
export function routes(parts: DashboardParts): Route[] {
  return [accountRoutes, keyRoutes, gatewayRoutes, originRoutes, sessionRoutes].flatMap((of) => of(parts));
}
