import { bySubject, on, type Bus, type Closable, type ConsumeOptions } from '@gp/bus';
import { apiKeyChanged, sessionEpochRaised, settingsChanged, signingKeysChanged } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import type { SigningKeySet } from '@gp/http';
import type { EpochDirectory } from '../app/directories/epoch-directory.ts';
import { followEpochs, followKeys, followSettings } from '../app/directories/follow-changes.ts';
import type { KeyDirectory } from '../app/directories/key-directory.ts';
import type { OriginDirectory } from '../app/directories/origin-directory.ts';

/** Every event that api-gateway stores. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const common = { maxInFlight: 16, toOrderingKey: bySubject, ...buildConsumerOptions(db) };
  return [
    on(apiKeyChanged, { durable: 'api-gateway-keys', ...common }, followKeys(db)),
    on(sessionEpochRaised, { durable: 'api-gateway-epochs', ...common }, followEpochs(db)),
    on(settingsChanged, { durable: 'api-gateway-origins', ...common }, followSettings(db)),
  ];
}

/** The caches of a replica. */
export type Remembered = {
  readonly keys: Pick<KeyDirectory, 'learn'>;
  readonly epochs: Pick<EpochDirectory, 'learn'>;
  readonly origins: Pick<OriginDirectory, 'learn'>;
  readonly signingKeys: Pick<SigningKeySet, 'forget'>;
};

/** Every replica also receives the events directly: it applies a revocation before the projection is written. */
export function followChanges(bus: Bus, { keys, epochs, origins, signingKeys }: Remembered): Closable[] {
  return [
    bus.hear(apiKeyChanged, keys.learn),
    bus.hear(sessionEpochRaised, epochs.learn),
    bus.hear(settingsChanged, origins.learn),
    bus.hear(signingKeysChanged, () => signingKeys.forget()),
  ];
}
