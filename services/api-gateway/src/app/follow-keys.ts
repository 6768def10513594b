import type { ApiKeyRecord } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { upsertApiKey } from '../db/api-keys.ts';
import { between } from '../fail-points.ts';

/** Keeps the projection of API keys; repeatable, and older news change nothing. */
export function followKeys(db: Db): (record: ApiKeyRecord) => Promise<void> {
  return (record) => between('key-projection', () => upsertApiKey(db, record));
}
