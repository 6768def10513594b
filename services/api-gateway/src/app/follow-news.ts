import type { AllowedOrigins, ApiKeyRecord, SessionEpoch } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { upsertAllowedOrigins } from '../db/allowed-origins.ts';
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

/** Keeps the projection of registered origins; repeatable, and older news change nothing. */
export function followOrigins(db: Db): (news: AllowedOrigins) => Promise<void> {
  return (news) => between('origin-projection', () => upsertAllowedOrigins(db, news));
}
