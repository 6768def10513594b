import { naturalBatch } from '@gp/primitives';
import type { Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { statement, type Db, type Queryable } from '@gp/pg';
import type { Sealed } from '@gp/seal';
import { between } from '../fail-points.ts';

/** A request to act under a key; hashes in hex. */
export type Claim = {
  readonly command_id: string;
  readonly fingerprint: string;
  readonly lease: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly requestId: string;
};

/** Names what a lease holder may still change: nothing, once another request has taken the lease over. */
export type Own = { readonly command_id: string; readonly lease: string };

export type Kept = Own & { readonly status: number; readonly sealed: Sealed };

export type KnownKey = {
  readonly fingerprint: string;
  /** No request is working on it: its lease was given back or has lapsed. */
  readonly isFree: boolean;
  readonly outcome:
    | {
        readonly status: number;
        readonly sealed: Sealed;
        readonly requestId: string;
      }
    | undefined;
};

/** Neither begun nor known: another request began at the same moment. */
export type Found = { readonly isBegun: boolean; readonly known: KnownKey | undefined };

export type IdempotencyStore = {
  /** Takes the lease of an unused key, or returns what is known about it. */
  begin(claim: Claim): Promise<Found>;
  /** Takes the lease of an unfinished command; false when another request was faster. */
  takeOver(claim: Claim): Promise<boolean>;
  /** Records the final response. */
  keep(kept: Kept): Promise<void>;
  /** Gives the lease back, unfinished: the next repetition resumes at once. */
  letGo(own: Own): Promise<void>;
  /** Frees the key: nothing happened under it. */
  discard(own: Own): Promise<void>;
};

type FoundRow = {
  lease: string;
  is_begun: boolean;
  fingerprint: Buffer | null;
  is_free: boolean | null;
  request_id: string | null;
  status: number | null;
  response: Buffer | null;
  sealed_with: string | null;
};

// A known key is only read, so that a replay writes nothing. Two requests of one batch may carry the same new key:
// one of them inserts, the other finds neither and tries again. Inserts go in key order to avoid deadlocks between
// replicas. Index: the primary key.
const beginAll = statement<FoundRow>(
  'api-gateway.begin-commands',
  `with incoming as (
     select * from unnest($1::bytea[], $2::bytea[], $3::uuid[], $4::text[], $5::text[], $6::text[])
       as i (command_id, fingerprint, lease, merchant_id, mode, request_id)
   ), known as (
     select command_id, fingerprint, request_id, status, response, sealed_with,
            leased_until <= clock_timestamp() as is_free
     from idempotency_keys where command_id = any($1::bytea[])
   ), begun as (
     insert into idempotency_keys (command_id, fingerprint, lease, merchant_id, mode, request_id, leased_until)
     select command_id, fingerprint, lease, merchant_id, mode, request_id,
            clock_timestamp() + make_interval(secs => $7)
     from incoming i where not exists (select from known k where k.command_id = i.command_id)
     order by command_id
     on conflict (command_id) do nothing
     returning lease
   )
   select i.lease, b.lease is not null as is_begun,
          k.fingerprint, k.is_free, k.request_id, k.status, k.response, k.sealed_with
   from incoming i left join begun b on b.lease = i.lease left join known k on k.command_id = i.command_id`,
);

// The new lease fences the old holder off, in case it is still running.
const takeOver = statement<{ lease: string }>(
  'api-gateway.take-over-command',
  `update idempotency_keys
   set lease = $2, request_id = $3, leased_until = clock_timestamp() + make_interval(secs => $4)
   where command_id = $1 and status is null and leased_until <= clock_timestamp()
   returning lease`,
);

const keepAll = statement(
  'api-gateway.keep-answers',
  `update idempotency_keys k set status = a.status, response = a.response, sealed_with = a.sealed_with
   from unnest($1::bytea[], $2::uuid[], $3::smallint[], $4::bytea[], $5::text[])
     as a (command_id, lease, status, response, sealed_with)
   where k.command_id = a.command_id and k.lease = a.lease and k.status is null`,
);

const letGo = statement(
  'api-gateway.let-go-of-command',
  `update idempotency_keys set leased_until = clock_timestamp()
   where command_id = $1 and lease = $2 and status is null`,
);

const discard = statement(
  'api-gateway.forget-command',
  `delete from idempotency_keys where command_id = $1 and lease = $2 and status is null`,
);

// Index: idempotency_keys_by_age.
const reap = statement<{ reaped: bigint }>(
  'api-gateway.reap-commands',
  `with reaped as (delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at < clock_timestamp() - make_interval(hours => $1)
       order by created_at limit 1000)) returning 1)
   select count(*) as reaped from reaped`,
);

/** Claims and responses that queue while a statement runs share the next one. */
const batching = {
  maxSize: 50,
  maxQueued: 1_000,
  inFlight: 2,
  overloaded: () => new AppError('service_unavailable', { retryAfterSeconds: 1 }),
};

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** The records of commands under idempotency keys; `leaseMs` bounds how long a dead holder blocks its key. */
export function idempotencyStore(db: Db, leaseMs: number): IdempotencyStore {
  const leaseSeconds = leaseMs / 1_000;
  const own = ({ command_id, lease }: Own): unknown[] => [bytes(command_id), lease];
  return {
    begin: naturalBatch<Claim, Found>({
      ...batching,
      run: (claims) => between('idempotency-begin', () => beginBatch(db, claims, leaseSeconds)),
    }),
    async takeOver(claim) {
      return (await db.query(takeOver, [...own(claim), claim.requestId, leaseSeconds])).length > 0;
    },
    keep: naturalBatch<Kept, void>({
      ...batching,
      run: (answers) => between('idempotency-keep', () => keepBatch(db, answers)),
    }),
    letGo: async (o) => void (await db.query(letGo, own(o))),
    discard: async (o) => void (await db.query(discard, own(o))),
  };
}

async function beginBatch(db: Db, claims: readonly Claim[], leaseSeconds: number): Promise<Found[]> {
  const rows = await db.query(beginAll, [
    claims.map((c) => bytes(c.command_id)),
    claims.map((c) => bytes(c.fingerprint)),
    claims.map((c) => c.lease),
    claims.map((c) => c.merchantId),
    claims.map((c) => c.mode),
    claims.map((c) => c.requestId),
    leaseSeconds,
  ]);
  const byLease = new Map(rows.map((row) => [row.lease, row]));
  return claims.map(({ lease }) => toFound(byLease.get(lease)));
}

function toFound(row: FoundRow | undefined): Found {
  if (!row || row.is_begun || !row.fingerprint) return { isBegun: row?.is_begun ?? false, known: undefined };
  const { status, response, sealed_with: keyId, request_id } = row;
  const isFinal = status !== null && response !== null && keyId !== null;
  const outcome = isFinal
    ? { status, sealed: { keyId, bytes: response }, requestId: request_id ?? '' }
    : undefined;
  return {
    isBegun: false,
    known: { fingerprint: row.fingerprint.toString('hex'), isFree: row.is_free ?? false, outcome },
  };
}

async function keepBatch(db: Db, answers: readonly Kept[]): Promise<undefined[]> {
  await db.query(keepAll, [
    answers.map((a) => bytes(a.command_id)),
    answers.map((a) => a.lease),
    answers.map((a) => a.status),
    answers.map((a) => a.sealed.bytes),
    answers.map((a) => a.sealed.keyId),
  ]);
  return answers.map(() => undefined);
}

/** Deletes up to 1,000 records older than this; returns how many. */
export async function deleteOldKeys(db: Queryable, hours: number): Promise<number> {
  const [row] = await db.query(reap, [hours]);
  return Number(row?.reaped ?? 0n);
}
