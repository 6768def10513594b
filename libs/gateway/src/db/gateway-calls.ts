import type { Failure, Mode } from '@gp/contracts';
import { outboxArrays, outboxInsertFragment, type OutboxMessage } from '@gp/outbox';
import { statement, type Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import {
  buildIdempotencyKey,
  type GatewayCall,
  type CallOperation,
  type NewGatewayCall,
} from '../domain/gateway-call.ts';
import { stateAfter, statesBefore, type CallTrigger } from '../domain/gateway-call.machine.ts';
import type { MerchantQueue } from '../fairness/merchant-queues.ts';
import type { ListedQueue } from '../fairness/queue-loop.ts';
import type { Signer } from './callbacks.ts';
import { gatewayCallColumns, toGatewayCall, type GatewayCallRow } from './gateway-call.row.ts';

// A second process that received the same command finds the row and writes nothing.
const insert = statement<GatewayCallRow>(
  'gateway.insert-attempt',
  `insert into psp_attempts (id, mode, merchant_id, group_id, intent_id, attempt_id, operation, seq, operation_id,
     psp_idempotency_key, credential_version, state, psp_reference, amount_minor, currency, sandbox_fault,
     traceparent, not_after, unless_authorised, return_url, leased_until)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'started', $12, $13, $14, $15, $16, $17, $18, $19,
     clock_timestamp() + make_interval(secs => $20))
   on conflict (attempt_id, operation, seq) do nothing
   returning ${gatewayCallColumns}`,
);

const find = statement<GatewayCallRow>(
  'gateway.find-attempt',
  `select ${gatewayCallColumns} from psp_attempts where attempt_id = $1 and operation = $2 and seq = $3`,
);

// Only one process wins an expired lease: the others' updates find it renewed.
const takeOver = statement<GatewayCallRow>(
  'gateway.take-over-attempt',
  `update psp_attempts set leased_until = clock_timestamp() + make_interval(secs => $2)
   where id = $1 and state = 'started' and leased_until <= clock_timestamp()
   returning ${gatewayCallColumns}`,
);

// Reads psp_attempts_unanswered, which holds calls in hand and those of processes that died.
const listUnanswered = statement<Pick<GatewayCallRow, 'mode' | 'merchant_id'> & { is_due: boolean }>(
  'gateway.list-merchants-of-unanswered-attempts',
  `select mode, merchant_id, bool_or(leased_until <= clock_timestamp()) as is_due from psp_attempts
   where state = 'started' group by mode, merchant_id`,
);

const takeOverStale = statement<GatewayCallRow>(
  'gateway.take-over-stale-attempt',
  `update psp_attempts set leased_until = clock_timestamp() + make_interval(secs => $3)
   where id = (
     select id from psp_attempts
     where state = 'started' and leased_until <= clock_timestamp() and mode = $1 and merchant_id = $2
     order by leased_until limit 1 for update skip locked)
   returning ${gatewayCallColumns}`,
);

const renew = statement(
  'gateway.renew-lease',
  `update psp_attempts set leased_until = clock_timestamp() + make_interval(secs => $2)
   where id = $1 and state = 'started'`,
);

// Locked until commit, so that nothing changes these rows between the decision and its commit.
const lockOfPayment = statement<GatewayCallRow>(
  'gateway.lock-attempts-of-payment',
  `select ${gatewayCallColumns} from psp_attempts where attempt_id = $1 order by id for update`,
);

const listOfPayment = statement<GatewayCallRow>(
  'gateway.list-attempts-of-payment',
  `select ${gatewayCallColumns} from psp_attempts where attempt_id = $1 order by id`,
);

// Reads psp_attempts_by_psp_reference.
const findByReference = statement<{ attempt_id: string }>(
  'gateway.find-attempt-by-psp-reference',
  `select attempt_id from psp_attempts
   where psp_reference = $1
     and (merchant_id, mode) in (select * from jsonb_to_recordset($2::jsonb) as s (merchant_id text, mode text))
   limit 1`,
);

const findKnown = statement<{ psp_reference: string }>(
  'gateway.find-known-references',
  `select distinct psp_reference from psp_attempts where psp_reference = any($1) and merchant_id = $2 and mode = $3`,
);

const accept = statement(
  'gateway.accept-attempt',
  `update psp_attempts set accepted_at = clock_timestamp() where id = $1`,
);

const settleFragment = `update psp_attempts
   set state = $3, psp_reference = coalesce($4, psp_reference), result_minor = coalesce($5, result_minor), failure = $6,
       finished_at = case when $3 = 'unknown' then null else clock_timestamp() end
   where id = $1 and state = any($2)
   returning id`;

const settle = statement<{ id: string }>('gateway.settle-attempt', settleFragment);

// State and message in one statement: one commit and one round trip.
const settleAndSend = statement<{ id: string }>(
  'gateway.settle-attempt-and-send',
  `with settled as (${settleFragment}), sent as (${outboxInsertFragment(7, 'exists (select from settled)')})
   select id from settled`,
);

/** Stores a call before it is sent; returns undefined when it was stored before. */
export async function insertGatewayCall(
  db: Queryable,
  a: NewGatewayCall,
  leaseSeconds: number,
): Promise<GatewayCall | undefined> {
  const [row] = await db.query(insert, [
    uuidv7(),
    a.mode,
    a.merchantId,
    a.groupId,
    a.intentId,
    a.attemptId,
    a.operation,
    a.seq,
    a.operationId,
    buildIdempotencyKey(a),
    a.credentialVersion,
    a.pspReference,
    a.amountMinor,
    a.currency,
    a.sandboxFault,
    a.traceparent,
    a.notAfter,
    a.unlessAuthorised,
    a.returnUrl,
    leaseSeconds,
  ]);
  return row && toGatewayCall(row);
}

export async function findGatewayCall(
  db: Queryable,
  key: { attemptId: string; operation: CallOperation; seq: number },
): Promise<GatewayCall | undefined> {
  const [row] = await db.query(find, [key.attemptId, key.operation, key.seq]);
  return row && toGatewayCall(row);
}

/**
 * Takes over a row whose process is gone; returns undefined while that process may still be working, or has
 * finished.
 */
export async function takeOverCall(
  db: Queryable,
  id: string,
  leaseSeconds: number,
): Promise<GatewayCall | undefined> {
  const [row] = await db.query(takeOver, [id, leaseSeconds]);
  return row && toGatewayCall(row);
}

/** Lists the merchants and modes that have calls in hand; due are those of which one's process is gone. */
export async function listCallQueues(db: Queryable): Promise<readonly ListedQueue<MerchantQueue>[]> {
  return (await db.query(listUnanswered, [])).map(({ mode, merchant_id: merchantId, is_due: isDue }) => ({
    queue: { mode, merchantId },
    isDue,
  }));
}

/** Takes over the row of a merchant whose process is gone longest; undefined when there is none. */
export async function takeOverStaleCall(
  db: Queryable,
  { mode, merchantId }: MerchantQueue,
  leaseSeconds: number,
): Promise<GatewayCall | undefined> {
  const [row] = await db.query(takeOverStale, [mode, merchantId, leaseSeconds]);
  return row && toGatewayCall(row);
}

/** Extends the lease on a row that is still being worked on. */
export async function renewLease(db: Queryable, id: string, leaseSeconds: number): Promise<void> {
  await db.query(renew, [id, leaseSeconds]);
}

/** Returns every row of one payment, oldest first, locked until the transaction ends. */
export async function lockPaymentCalls(tx: Queryable, attemptId: string): Promise<GatewayCall[]> {
  return (await tx.query(lockOfPayment, [attemptId])).map(toGatewayCall);
}

export async function listPaymentCalls(db: Queryable, attemptId: string): Promise<GatewayCall[]> {
  return (await db.query(listOfPayment, [attemptId])).map(toGatewayCall);
}

/**
 * Returns our reference of the payment that has this reference at the gateway, among the payments of these merchants,
 * each in its mode.
 */
export async function findAttemptIdByReference(
  db: Queryable,
  key: { pspReference: string; signers: readonly Signer[] },
): Promise<string | undefined> {
  return (await db.query(findByReference, [key.pspReference, JSON.stringify(key.signers)]))[0]?.attempt_id;
}

/** Returns those of the references that name a payment of this merchant and mode. */
export async function findKnownReferences(
  db: Queryable,
  key: { pspReferences: readonly string[]; merchantId: string; mode: Mode },
): Promise<ReadonlySet<string>> {
  const rows = await db.query(findKnown, [key.pspReferences, key.merchantId, key.mode]);
  return new Set(rows.map((row) => row.psp_reference));
}

export type Settlement = {
  readonly trigger: CallTrigger;
  readonly pspReference: string | null;
  readonly resultMinor: bigint | null;
  readonly failure: Failure | null;
};

/** Records that the gateway accepted the operation, before its visible effects are judged. */
export async function acceptGatewayCall(db: Queryable, id: string): Promise<void> {
  await db.query(accept, [id]);
}

/** Records the result of a call; returns false when the row has moved on and this result no longer counts. */
export async function settleGatewayCall(tx: Queryable, id: string, s: Settlement): Promise<boolean> {
  return (await tx.query(settle, listValues(id, s))).length > 0;
}

/** The same, and stores the message that reports it with it; neither when the row has moved on. */
export async function settleAndSendMessage(
  db: Queryable,
  id: string,
  s: Settlement & { readonly message: OutboxMessage },
): Promise<boolean> {
  const values = [...listValues(id, s), ...outboxArrays([s.message])];
  return (await db.query(settleAndSend, values)).length > 0;
}

function listValues(id: string, { trigger, pspReference, resultMinor, failure }: Settlement): unknown[] {
  const stored = failure === null ? null : JSON.stringify(failure);
  return [id, statesBefore(trigger), stateAfter(trigger), pspReference, resultMinor, stored];
}
