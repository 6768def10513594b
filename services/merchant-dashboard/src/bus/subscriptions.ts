import { on, type ConsumeOptions } from '@gp/bus';
import {
  endpointFailing,
  eventsOfType,
  noteKeyExposure,
  noteKeyUse,
  TROUBLE_EVENT_TYPES,
  type EndpointFailing,
  type HeardEvent,
  type TroubleEventType,
} from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER, takeExposure, takeKeyUse, USE_CONSUMER } from '../app/settings/key-exposures.ts';

/** A consumer has one filter: one for several types would be sent every event of the ledger. */
const TROUBLE_CONSUMERS: Readonly<Record<TroubleEventType, string>> = {
  'group_payment.capture_failed': 'dashboard-failed-captures',
  'group_payment.refund_failed': 'dashboard-failed-refunds',
  'payment_intent.disputed': 'dashboard-disputes',
};

/** What mails troubles of live mode to members. */
export type TroubleTakers = {
  readonly event: (event: HeardEvent) => Promise<void>;
  readonly endpoint: (notice: EndpointFailing) => Promise<void>;
};
const TAKES_NOTHING: TroubleTakers = { event: () => Promise.resolve(), endpoint: () => Promise.resolve() };

/** Returns all subscriptions of the dashboard. `takers` is null where this installation sends no mail. */
export function subscriptions(db: Db, takers: TroubleTakers | null = TAKES_NOTHING): ConsumeOptions[] {
  const common = buildCommonOptions(db);
  const takeSeen = takeExposure(db);
  return [
    on(noteKeyExposure, { durable: CONSUMER, ...common }, (exposure, m) => takeSeen(m.id, exposure)),
    on(noteKeyUse, { durable: USE_CONSUMER, ...common }, takeKeyUse(db)),
    ...(takers === null ? [] : buildTroubleSubscriptions(db, takers)),
  ];
}

function buildTroubleSubscriptions(db: Db, takers: TroubleTakers): ConsumeOptions[] {
  const common = buildCommonOptions(db);
  return [
    ...TROUBLE_EVENT_TYPES.map((type) =>
      on(eventsOfType(type), { durable: TROUBLE_CONSUMERS[type], ...common }, takers.event),
    ),
    on(endpointFailing, { durable: 'dashboard-failing-endpoints', ...common }, takers.endpoint),
  ];
}

const buildCommonOptions = (db: Db) => ({ maxInFlight: 4, ...buildConsumerOptions(db) });
