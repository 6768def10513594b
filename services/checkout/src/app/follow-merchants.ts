import type { AllowedOrigins, GatewayConnection } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { upsertActiveGateway } from '../db/active-gateways.ts';
import { upsertAllowedOrigins } from '../db/allowed-origins.ts';

/** Keeps the projection of active gateways; repeatable. */
export function followGateways(db: Db): (news: GatewayConnection) => Promise<void> {
  return (news) => upsertActiveGateway(db, news);
}

/** Keeps the projection of registered origins; repeatable, and older news change nothing. */
export function followOrigins(db: Db): (news: AllowedOrigins) => Promise<void> {
  return (news) => upsertAllowedOrigins(db, news);
}
