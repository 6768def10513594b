import { statement, type Queryable } from '@gp/pg';
import type { Answer, IdempotentCall, KeyClaim } from '../app/ports.ts';

type KeyRow = { fingerprint: string; answer: Answer | null };

// A claim of an earlier run belongs to a process that died: the new run takes it over.
const claim = statement<{ key: string }>(
  'claim-idempotency-key',
  `insert into idempotency_keys as k (gateway, account, key, fingerprint, claimed_by) values ($1, $2, $3, $4, $5)
   on conflict on constraint idempotency_keys_are_unique do update set claimed_by = excluded.claimed_by
     where k.answer is null and k.claimed_by <> excluded.claimed_by and k.fingerprint = excluded.fingerprint
   returning key`,
);

const find = statement<KeyRow>(
  'find-idempotency-key',
  'select fingerprint, answer from idempotency_keys where gateway = $1 and account = $2 and key = $3',
);

const keep = statement(
  'keep-idempotent-answer',
  `update idempotency_keys set answer = $4, claimed_by = null where gateway = $1 and account = $2 and key = $3`,
);

const release = statement(
  'release-idempotency-key',
  `delete from idempotency_keys where gateway = $1 and account = $2 and key = $3 and answer is null`,
);

/** Claims the key for this run of the service, or returns what it already stands for. */
export async function claimKey(q: Queryable, call: IdempotentCall, run: string): Promise<KeyClaim> {
  const [claimed] = await q.query(claim, [call.gateway, call.account, call.key, call.fingerprint, run]);
  if (claimed !== undefined) return { kind: 'fresh' };
  const [row] = await q.query(find, [call.gateway, call.account, call.key]);
  // Released between the two statements: the caller has to retry, as for any running request.
  if (row === undefined) return { kind: 'in_use' };
  if (row.fingerprint !== call.fingerprint) return { kind: 'reused' };
  return row.answer === null ? { kind: 'in_use' } : { kind: 'replay', answer: row.answer };
}

export async function keepAnswer(q: Queryable, call: IdempotentCall, answer: Answer): Promise<void> {
  await q.query(keep, [call.gateway, call.account, call.key, answer]);
}

export async function releaseKey(q: Queryable, call: IdempotentCall): Promise<void> {
  await q.query(release, [call.gateway, call.account, call.key]);
}
