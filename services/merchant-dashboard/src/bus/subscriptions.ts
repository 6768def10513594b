import { on, type ConsumeOptions } from '@gp/bus';
import {
  eventsOfType,
  noteKeyExposure,
  noteKeyUse,
  TROUBLE_EVENT_TYPES,
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

/** Returns all subscriptions of the dashboard. `takeTrouble`: what mails troubles to owners; null where this installation sends no mail. */
export function subscriptions(
  db: Db,
  takeTrouble: ((event: HeardEvent) => Promise<void>) | null = () => Promise.resolve(),
): ConsumeOptions[] {
  const common = { maxInFlight: 4, ...buildConsumerOptions(db) };
  const takeSeen = takeExposure(db);
  return [
    on(noteKeyExposure, { durable: CONSUMER, ...common }, (exposure, m) => takeSeen(m.id, exposure)),
    on(noteKeyUse, { durable: USE_CONSUMER, ...common }, takeKeyUse(db)),
    ...(takeTrouble === null
      ? []
      : TROUBLE_EVENT_TYPES.map((type) =>
          on(eventsOfType(type), { durable: TROUBLE_CONSUMERS[type], ...common }, takeTrouble),
        )),
  ];
}
