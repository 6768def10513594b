import type {
  EventType,
  GroupState,
  IntentState,
  KeyScope,
  Mode,
  OrganiserRight,
  PspCode,
  SlotState,
} from '@gp/contracts';
import type { Permission, Role } from '../domain/roles.ts';

/**
 * Requests and responses of the dashboard's web application: types alone, shared by the routes and the pages.
 * Instants are ISO 8601 in UTC. Errors have the shape of the public API: `{error, message, code, param?,
 * request_id}`.
 */
export type {
  EventType,
  GroupState,
  IntentState,
  KeyScope,
  Mode,
  OrganiserRight,
  Permission,
  PspCode,
  Role,
  SlotState,
};

export type * from './api/branding.ts';
export type * from './api/payer-mails.ts';
export type * from './api/support-contact.ts';
export type * from './api/organiser-rights.ts';
export type * from './api/changes.ts';
export type * from './api/charts.ts';
export type * from './api/customers.ts';
export type * from './api/group-payments.ts';
export type * from './api/keys.ts';
export type * from './api/money.ts';
export type * from './api/people.ts';
export type * from './api/requests.ts';
export type * from './api/saved-filters.ts';
export type * from './api/setup.ts';
export type * from './api/webhooks.ts';
