import type { Route } from '@gp/http';
import type { WebParts } from '../app/ports.ts';
import { accountRoutes } from './account.routes.ts';
import { auditRoutes } from './audit.routes.ts';
import { chartRoutes } from './charts.routes.ts';
import { eventRoutes } from './events.routes.ts';
import { gatewayRoutes } from './gateways.routes.ts';
import { groupPaymentRoutes } from './group-payments.routes.ts';
import { withSecurityHeaders } from './headers.ts';
import { keyRoutes } from './keys.routes.ts';
import { mailboxRoutes } from './mailbox.routes.ts';
import { originRoutes } from './origins.routes.ts';
import { profileRoutes } from './profile.routes.ts';
import { sessionRoutes } from './sessions.routes.ts';
import { setupRoutes } from './setup.routes.ts';
import { teamRoutes } from './team.routes.ts';
import { testModeRoutes } from './test-mode.routes.ts';
import { webhookRoutes } from './webhooks.routes.ts';

const all = [
  accountRoutes,
  profileRoutes,
  teamRoutes,
  auditRoutes,
  keyRoutes,
  gatewayRoutes,
  originRoutes,
  sessionRoutes,
  setupRoutes,
  groupPaymentRoutes,
  webhookRoutes,
  eventRoutes,
  chartRoutes,
  testModeRoutes,
  mailboxRoutes,
];

/** Every route of the dashboard's backend; the pages are beside them. */
export function routes(parts: WebParts): Route[] {
  return withSecurityHeaders(all.flatMap((of) => of(parts)));
}
