import { findEvent, followEvents, listEvents, locateEvent } from '../events/event-log.ts';
import { findRecovery, listDeliveries, resendDelivery, sendTestEvent, startRecovery } from './deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  rollSecret,
  updateEndpoint,
} from './endpoints.ts';

/** The calls of the dispatcher that a merchant reaches by the API and by the dashboard alike. */
export const webhookCalls = [
  createEndpoint,
  listEndpoints,
  findEndpoint,
  updateEndpoint,
  deleteEndpoint,
  rollSecret,
  listDeliveries,
  resendDelivery,
  sendTestEvent,
  startRecovery,
  findRecovery,
  listEvents,
  findEvent,
] as const;

/** The calls of the dispatcher behind a merchant's stream of events. */
export const eventStreamCalls = [locateEvent, followEvents] as const;
