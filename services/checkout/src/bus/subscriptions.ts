import { bySubject, on, type ConsumeOptions } from '@gp/bus';
import { gatewayChanged, settingsChanged } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followGateways, followSettings } from '../app/follow-merchants.ts';

/** Every event that checkout stores. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const common = { maxInFlight: 8, toOrderingKey: bySubject, ...buildConsumerOptions(db) };
  return [
    on(gatewayChanged, { durable: 'checkout-gateways', ...common }, followGateways(db)),
    on(settingsChanged, { durable: 'checkout-origins', ...common }, followSettings(db)),
  ];
}
