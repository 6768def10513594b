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
export type Directories = {
  readonly keys: Pick<KeyDirectory, 'update' | 'distrust'>;
  readonly epochs: Pick<EpochDirectory, 'update' | 'distrust'>;
  readonly origins: Pick<OriginDirectory, 'update' | 'distrust'>;
  readonly signingKeys: Pick<SigningKeySet, 'clear'>;
};

/**
 * Every replica also receives the events directly, so that it does not answer from its cache while the projection is
 * written. What takes rights away counts at once; what grants rights counts once the projection has it. A replica that was
 * cut off from the bus does not trust what it has cached.
 */
export function followChanges(bus: Bus, { keys, epochs, origins, signingKeys }: Directories): Closable[] {
  return [
    bus.listenTo(apiKeyChanged, keys.update),
    bus.listenTo(sessionEpochRaised, epochs.update),
    bus.listenTo(settingsChanged, origins.update),
    bus.listenTo(signingKeysChanged, () => signingKeys.clear()),
    bus.whenConnected(() => {
      for (const cached of [keys, epochs, origins]) cached.distrust();
      signingKeys.clear();
    }),
  ];
}
