import type { Bus, Closable, ConsumeOptions } from '@gp/bus';
import {
  apiKeyChanged,
  originsChanged,
  sessionEpochRaised,
  signingKeysChanged,
  type AllowedOrigins,
  type ApiKeyRecord,
  type SessionEpoch,
} from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import type { SigningKeySet } from '@gp/http';
import type { EpochDirectory } from '../app/epoch-directory.ts';
import { followEpochs, followKeys, followOrigins } from '../app/follow-news.ts';
import type { KeyDirectory } from '../app/key-directory.ts';
import type { OriginDirectory } from '../app/origin-directory.ts';

/** What the facts the edge hears are checked against. */
export const messages = [apiKeyChanged, originsChanged, sessionEpochRaised, signingKeysChanged];

const allOf = ({ subject }: { readonly subject: string }) => `${subject}.*`;

/** Every fact the edge keeps. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const followKey = followKeys(db);
  const followEpoch = followEpochs(db);
  const followOrigin = followOrigins(db);
  const common = {
    stream: 'EVENTS',
    maxInFlight: 16,
    ...consumerOf(db),
    keyOf: (message: { readonly subject: string }) => message.subject,
  } as const;
  return [
    {
      ...common,
      durable: 'api-gateway-keys',
      filters: [allOf(apiKeyChanged)],
      handler: (message) => followKey(message.payload as ApiKeyRecord),
    },
    {
      ...common,
      durable: 'api-gateway-epochs',
      filters: [allOf(sessionEpochRaised)],
      handler: (message) => followEpoch(message.payload as SessionEpoch),
    },
    {
      ...common,
      durable: 'api-gateway-origins',
      filters: [allOf(originsChanged)],
      handler: (message) => followOrigin(message.payload as AllowedOrigins),
    },
  ];
}

/** What a replica remembers of the facts. */
export type Remembered = {
  readonly keys: Pick<KeyDirectory, 'learn'>;
  readonly epochs: Pick<EpochDirectory, 'learn'>;
  readonly origins: Pick<OriginDirectory, 'learn'>;
  readonly signingKeys: Pick<SigningKeySet, 'forget'>;
};

/** Every replica also hears the facts directly: what is revoked is dead here before its projection is written. */
export function hearNews(bus: Bus, { keys, epochs, origins, signingKeys }: Remembered): Closable[] {
  const listen = <T>(about: { readonly subject: string }, sign: keyof T & string, learn: (news: T) => void) =>
    bus.listen(allOf(about), ({ payload }) => {
      // Nothing has checked these: they come straight from the wire.
      if (typeof payload === 'object' && payload !== null && sign in payload) learn(payload as T);
    });
  return [
    listen<ApiKeyRecord>(apiKeyChanged, 'digest', keys.learn),
    listen<SessionEpoch>(sessionEpochRaised, 'epoch', epochs.learn),
    listen<AllowedOrigins>(originsChanged, 'origins', origins.learn),
    bus.listen(allOf(signingKeysChanged), () => signingKeys.forget()),
  ];
}
