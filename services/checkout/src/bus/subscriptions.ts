import { bySubject, on, type ConsumeOptions } from '@gp/bus';
import { gatewayChanged, logoChanged, mailedEvents, settingsChanged, type HeardEvent } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followGateways, followLogos, followSettings } from '../app/follow-merchants.ts';

/** Every event that checkout stores. `takeMailed`: what takes the events of mails; null where this installation sends none. */
export function subscriptions(
  db: Db,
  takeMailed: ((event: HeardEvent) => Promise<void>) | null = () => Promise.resolve(),
): ConsumeOptions[] {
  const options = { maxInFlight: 8, ...buildConsumerOptions(db) };
  const common = { toOrderingKey: bySubject, ...options };
  return [
    on(gatewayChanged, { durable: 'checkout-gateways', ...common }, followGateways(db)),
    on(logoChanged, { durable: 'checkout-logos', ...common }, followLogos(db)),
    on(settingsChanged, { durable: 'checkout-origins', ...common }, followSettings(db)),
    ...(takeMailed === null ? [] : [on(mailedEvents, { durable: 'checkout-mails', ...options }, takeMailed)]),
  ];
}
