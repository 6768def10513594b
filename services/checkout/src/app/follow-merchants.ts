import type { GatewayConnection, LogoChanged, SettingsChanged } from '@gp/contracts';
import { upsertSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { upsertActiveGateway } from '../db/active-gateways.ts';
import { upsertLogo } from '../db/logos.ts';

/** Stores announced gateway connections in the projection of active gateways; repeatable. */
export function followGateways(db: Db): (change: GatewayConnection) => Promise<void> {
  return (change) => upsertActiveGateway(db, change);
}

/** Stores announced merchant settings in the projection; repeatable, and older revisions change nothing. */
export function followSettings(db: Db): (change: SettingsChanged) => Promise<void> {
  return (change) => upsertSettings(db, change);
}

/** Stores announced logos in the projection; repeatable, and older revisions change nothing. */
export function followLogos(db: Db): (change: LogoChanged) => Promise<void> {
  return (change) => upsertLogo(db, change);
}
