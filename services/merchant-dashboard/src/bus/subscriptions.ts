import { on, type ConsumeOptions } from '@gp/bus';
import { noteKeyExposure, noteKeyUse, troubleEvents, type HeardEvent } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER as TROUBLE_CONSUMER } from '../app/mail/trouble-notices.ts';
import { CONSUMER, takeExposure, takeKeyUse, USE_CONSUMER } from '../app/settings/key-exposures.ts';

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
      : [on(troubleEvents, { durable: TROUBLE_CONSUMER, ...common }, takeTrouble)]),
  ];
}
