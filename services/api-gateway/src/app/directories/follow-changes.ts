import type { ApiKeyRecord, SessionEpoch, SettingsChanged } from '@gp/contracts';
import { upsertSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { upsertApiKey } from '../../db/api-keys.ts';
import { upsertEpoch } from '../../db/session-epochs.ts';
import { between } from '../../fail-points.ts';

/** Stores announced API keys in the projection; repeatable, and older revisions change nothing. */
export function followKeys(db: Db): (record: ApiKeyRecord) => Promise<void> {
  return (record) => between('key-projection', () => upsertApiKey(db, record));
}

/** Stores announced session epochs in the projection; repeatable, and older epochs change nothing. */
export function followEpochs(db: Db): (epoch: SessionEpoch) => Promise<void> {
  return (epoch) => between('epoch-projection', () => upsertEpoch(db, epoch));
}

/** Stores announced merchant settings in the projection; repeatable, and older revisions change nothing. */
export function followSettings(db: Db): (change: SettingsChanged) => Promise<void> {
  return (change) => between('origin-projection', () => upsertSettings(db, change));
}
