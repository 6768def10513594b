import { on, type ConsumeOptions } from '@gp/bus';
import { noteKeyExposure, noteKeyUse } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER, takeExposure, takeKeyUse, USE_CONSUMER } from '../app/settings/key-exposures.ts';

/** Returns all subscriptions of the dashboard. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const common = { maxInFlight: 4, ...buildConsumerOptions(db) };
  const takeSeen = takeExposure(db);
  return [
    on(noteKeyExposure, { durable: CONSUMER, ...common }, (exposure, m) => takeSeen(m.id, exposure)),
    on(noteKeyUse, { durable: USE_CONSUMER, ...common }, takeKeyUse(db)),
  ];
}
