import { randomBytes } from 'node:crypto';
import type { Db } from '@gp/pg';
import { sealWith, type Seal } from '@gp/seal';
import { resealRows, type SealedColumn } from '@gp/sealed-rows';
import { createLogger } from '@gp/telemetry';

/** Seals a service's rows again under a fresh key, as a rotation does. Returns the seal that has the new key only. */
export async function rotateEncryptionKey(o: {
  readonly db: Db;
  readonly columns: readonly SealedColumn[];
  readonly previous: string;
}): Promise<Seal> {
  const encryptionKey = randomBytes(32).toString('base64');
  const seal = sealWith({ encryptionKey, previousEncryptionKeys: o.previous });
  const log = createLogger({ service: 'test', level: 'silent' });
  const loop = resealRows({ db: o.db, seal, log, columns: o.columns });
  const { signal } = new AbortController();
  while ((await loop.runOnce(signal)) === 'busy');
  return sealWith({ encryptionKey });
}
