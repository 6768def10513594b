import type { GatewayConnection, SettingsChanged } from '@gp/contracts';
import { upsertSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { upsertActiveGateway } from '../db/active-gateways.ts';

/** Stores announced gateway connections in the projection of active gateways; repeatable. */
export function followGateways(db: Db): (news: GatewayConnection) => Promise<void> {
  return (news) => upsertActiveGateway(db, news);
}

/** Stores announced merchant settings in the projection; repeatable, and older revisions change nothing. */
export function followSettings(db: Db): (news: SettingsChanged) => Promise<void> {
  return (news) => upsertSettings(db, news);
}
