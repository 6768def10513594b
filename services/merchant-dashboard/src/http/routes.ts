import type { Route } from '@gp/http';
import type { WebParts } from '../app/ports.ts';
import { accountRoutes } from './account/account.routes.ts';
import { auditRoutes } from './team/audit.routes.ts';
import { changeRoutes } from './live/changes.routes.ts';
import { chartRoutes } from './payments/charts.routes.ts';
import { createByHandRoutes } from './payments/create-by-hand.routes.ts';
import { customerRoutes } from './customers/customers.routes.ts';
import { eventRoutes } from './webhooks/events.routes.ts';
import { gatewayRoutes } from './settings/gateways.routes.ts';
import { groupPaymentRoutes } from './payments/group-payments.routes.ts';
import { withSecurityHeaders } from './request/headers.ts';
import { businessNameRoutes } from './settings/business-name.routes.ts';
import { brandingRoutes } from './settings/branding.routes.ts';
import { organiserRightRoutes } from './settings/organiser-rights.routes.ts';
import { payerMailRoutes } from './settings/payer-mails.routes.ts';
import { supportContactRoutes } from './settings/support-contact.routes.ts';
import { keyRoutes } from './settings/keys.routes.ts';
import { moneyRoutes } from './money/money.routes.ts';
import { movementRoutes } from './money/movements.routes.ts';
import { mailboxRoutes } from './account/mailbox.routes.ts';
import { originRoutes } from './settings/origins.routes.ts';
import { paymentFileRoutes } from './payments/payment-files.routes.ts';
import { passkeyRoutes } from './account/passkeys.routes.ts';
import { profileRoutes } from './account/profile.routes.ts';
import { requestRoutes } from './requests/requests.routes.ts';
import { savedFilterRoutes } from './lists/saved-filters.routes.ts';
import { sessionRoutes } from './payments/sessions.routes.ts';
import { setupRoutes } from './account/setup.routes.ts';
import { teamRoutes } from './team/team.routes.ts';
import { testModeRoutes } from './payments/test-mode.routes.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';

const all = [
  accountRoutes,
  profileRoutes,
  passkeyRoutes,
  teamRoutes,
  auditRoutes,
  keyRoutes,
  gatewayRoutes,
  originRoutes,
  businessNameRoutes,
  brandingRoutes,
  payerMailRoutes,
  supportContactRoutes,
  organiserRightRoutes,
  sessionRoutes,
  setupRoutes,
  paymentFileRoutes,
  groupPaymentRoutes,
  createByHandRoutes,
  customerRoutes,
  webhookRoutes,
  eventRoutes,
  requestRoutes,
  savedFilterRoutes,
  changeRoutes,
  chartRoutes,
  moneyRoutes,
  movementRoutes,
  testModeRoutes,
  mailboxRoutes,
];

/** Returns every route of the dashboard's backend; the routes of the pages are separate. */
export function routes(parts: WebParts): Route[] {
  return withSecurityHeaders(all.flatMap((of) => of(parts)));
}
