import type { ApiKeyRecord, SessionEpoch, SettingsChanged } from '@gp/contracts';
import { upsertSettings } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { upsertApiKey } from '../db/api-keys.ts';
import { upsertEpoch } from '../db/session-epochs.ts';
import { between } from '../fail-points.ts';

/** Keeps the projection of API keys; repeatable, and older news change nothing. */
export function followKeys(db: Db): (record: ApiKeyRecord) => Promise<void> {
  return (record) => between('key-projection', () => upsertApiKey(db, record));
}

/** Keeps the projection of session epochs; repeatable, and older news change nothing. */
export function followEpochs(db: Db): (epoch: SessionEpoch) => Promise<void> {
  return (epoch) => between('epoch-projection', () => upsertEpoch(db, epoch));
}

/** Keeps the projection of merchants' settings; repeatable, and older news change nothing. */
export function followSettings(db: Db): (news: SettingsChanged) => Promise<void> {
  return (news) => between('origin-projection', () => upsertSettings(db, news));
}
