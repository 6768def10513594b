import { bySubject, on, type ConsumeOptions } from '@gp/bus';
import { gatewayChanged, logoChanged, settingsChanged } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followGateways, followLogos, followSettings } from '../app/follow-merchants.ts';

/** Every event that checkout stores. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const common = { maxInFlight: 8, toOrderingKey: bySubject, ...buildConsumerOptions(db) };
  return [
    on(gatewayChanged, { durable: 'checkout-gateways', ...common }, followGateways(db)),
    on(logoChanged, { durable: 'checkout-logos', ...common }, followLogos(db)),
    on(settingsChanged, { durable: 'checkout-origins', ...common }, followSettings(db)),
  ];
}
