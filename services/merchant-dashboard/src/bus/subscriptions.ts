import type { ConsumeOptions } from '@gp/bus';
import { noteKeyExposure, noteKeyUse, type KeyExposure, type KeyUse } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER, takeExposure, takeKeyUse, USE_CONSUMER } from '../app/key-exposures.ts';

/** Everything the dashboard hears. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const takeSeen = takeExposure(db);
  const takeUsed = takeKeyUse(db);
  const shared = {
    stream: 'COMMANDS',
    maxInFlight: 4,
    ...consumerOf(db),
  } satisfies Partial<ConsumeOptions>;
  return [
    {
      ...shared,
      durable: CONSUMER,
      filters: [noteKeyExposure.subject],
      handler: (message) => takeSeen(message.id, message.payload as KeyExposure),
    },
    {
      ...shared,
      durable: USE_CONSUMER,
      filters: [noteKeyUse.subject],
      handler: (message) => takeUsed(message.payload as KeyUse),
    },
  ];
}
