import type { Bus, Closable, ConsumeOptions } from '@gp/bus';
import { apiKeyChanged, type ApiKeyRecord } from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followKeys } from '../app/follow-keys.ts';
import type { KeyDirectory } from '../app/key-directory.ts';

const subject = `${apiKeyChanged.subject}.*`;

/** Every fact the edge keeps. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const follow = followKeys(db);
  return [
    {
      durable: 'api-gateway-keys',
      stream: 'EVENTS',
      filters: [subject],
      maxInFlight: 16,
      // News in the hands of a replica that died must not wait the usual 30 s: a key may be new, or revoked.
      ackWaitMs: 5_000,
      keyOf: (message) => message.subject,
      handler: (message) => follow(message.payload as ApiKeyRecord),
      onDead: (message) => recordDeadLetter(db, message),
      healthy: () => db.ping().then(() => true),
    },
  ];
}

/** Every replica also hears the facts directly: a revoked key is dead here before its projection is written. */
export function hearKeyNews(bus: Bus, keys: KeyDirectory): Closable {
  return bus.listen(subject, ({ payload }) => {
    if (isRecord(payload)) keys.learn(payload);
  });
}

function isRecord(payload: unknown): payload is ApiKeyRecord {
  const record = payload as Partial<ApiKeyRecord> | null | undefined;
  return typeof record?.digest === 'string' && typeof record.revision === 'number';
}
