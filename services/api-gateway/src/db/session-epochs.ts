import type { Mode, SessionEpoch } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

// A group never changes its merchant: a record that says otherwise is rejected like an older one.
const upsert = statement(
  'api-gateway.upsert-session-epoch',
  `insert into session_epochs as e (group_id, merchant_id, mode, epoch) values ($1, $2, $3, $4)
   on conflict (group_id) do update set epoch = excluded.epoch
   where excluded.epoch > e.epoch and e.merchant_id = excluded.merchant_id and e.mode = excluded.mode`,
);

// Index: session_epochs_have_one_row_per_group.
const find = statement<{ group_id: string; merchant_id: string; mode: Mode; epoch: number }>(
  'api-gateway.find-session-epochs',
  'select group_id, merchant_id, mode, epoch from session_epochs where group_id = any($1::uuid[])',
);

/** Stores the epoch of one group; an older one changes nothing. */
export async function upsertEpoch(
  db: Queryable,
  { group_id, merchant_id, mode, epoch }: SessionEpoch,
): Promise<void> {
  await db.query(upsert, [group_id, merchant_id, mode, epoch]);
}

/** Returns the epochs of those of these groups whose tokens were ever revoked. */
export async function findEpochs(db: Queryable, groupIds: readonly string[]): Promise<SessionEpoch[]> {
  return [...(await db.query(find, [groupIds]))];
}
