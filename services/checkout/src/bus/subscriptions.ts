import type { ConsumeOptions } from '@gp/bus';
import { gatewayChanged, originsChanged, type AllowedOrigins, type GatewayConnection } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followGateways, followOrigins } from '../app/follow-merchants.ts';

/** What the facts checkout hears are checked against. */
export const messages = [gatewayChanged, originsChanged];

/** Every fact that checkout keeps. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const onGateway = followGateways(db);
  const onOrigins = followOrigins(db);
  const common = {
    stream: 'EVENTS',
    maxInFlight: 8,
    ...consumerOf(db),
    keyOf: (message: { readonly subject: string }) => message.subject,
  } as const;
  return [
    {
      ...common,
      durable: 'checkout-gateways',
      filters: [`${gatewayChanged.subject}.*`],
      handler: (message) => onGateway(message.payload as GatewayConnection),
    },
    {
      ...common,
      durable: 'checkout-origins',
      filters: [`${originsChanged.subject}.*`],
      handler: (message) => onOrigins(message.payload as AllowedOrigins),
    },
  ];
}
