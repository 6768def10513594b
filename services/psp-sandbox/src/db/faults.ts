import type { PspCode } from '@gp/gateway-registry';
import { statement, type Queryable } from '@gp/pg';
import type { FaultOwner, Subject } from '../app/ports.ts';
import { faultText, parseFault, type Fault, type FaultRule } from '../domain/fault.ts';
import type { Operation } from '../domain/payment.ts';

// Always returns one row, so that the latency comes in the same round trip. `reference` in a match means any of
// the names of a payment; every other property must be equal. Index faults_waiting.
const draw = statement<{ fault: string | null; ms: number | null }>(
  'draw-fault',
  `with drawn as (
     update faults set remaining = remaining - 1 where id = (
       select id from faults
        where gateway = $1 and operation = $2 and remaining > 0 and match - 'reference' <@ $3
          and (not match ? 'reference' or match ->> 'reference' = any($4))
        order by id limit 1 for update)
       and remaining > 0
     returning fault)
   select (select fault from drawn) as fault, (select ms from latencies where gateway = $1) as ms`,
);

const insert = statement(
  'insert-fault',
  `insert into faults (gateway, operation, fault, remaining, match, source) values ($1, $2, $3, $4, $5, $6)
   on conflict on constraint faults_come_once_from_their_source do nothing`,
);

// Kept at zero instead of deleted: a fault from metadata must not come back when its request is repeated.
const clear = statement('clear-faults', 'update faults set remaining = 0 where remaining > 0');

const clearLatencies = statement('clear-latencies', 'delete from latencies');

const setLatency = statement(
  'set-latency',
  'insert into latencies (gateway, ms) values ($1, $2) on conflict (gateway) do update set ms = excluded.ms',
);

export async function drawFault(
  q: Queryable,
  operation: Operation,
  subject: Subject,
): Promise<{ fault: Fault | undefined; latencyMs: number }> {
  const names = [subject.pspReference, subject.paymentIntentId, subject.reference].filter(Boolean);
  const properties = {
    ...subject.metadata,
    account: subject.account,
    psp_reference: subject.pspReference,
    payment_intent_id: subject.paymentIntentId ?? subject.metadata?.['payment_intent_id'],
  };
  const [row] = await q.query(draw, [subject.gateway, operation, JSON.stringify(properties), names]);
  return { fault: row?.fault ? parseFault(row.fault) : undefined, latencyMs: row?.ms ?? 0 };
}

export async function insertFault(
  q: Queryable,
  gateway: PspCode,
  rule: FaultRule,
  match: Readonly<Record<string, string>>,
  source: string | null = null,
): Promise<void> {
  await q.query(insert, [gateway, rule.operation, faultText(rule.fault), rule.times, match, source]);
}

/** Sets a payment's own faults; the same owner's faults are set only the first time. */
export async function insertOwnFaults(
  q: Queryable,
  gateway: PspCode,
  owner: FaultOwner,
  rules: readonly FaultRule[],
): Promise<void> {
  const match = { [owner.property]: owner.value };
  for (const [i, rule] of rules.entries()) {
    const source = `${gateway} ${owner.property} ${owner.value} ${i} ${rule.operation} ${faultText(rule.fault)}`;
    await insertFault(q, gateway, rule, match, source);
  }
}

export async function clearFaults(q: Queryable): Promise<void> {
  await q.query(clear);
  await q.query(clearLatencies);
}

export async function upsertLatency(q: Queryable, gateway: PspCode, ms: number): Promise<void> {
  await q.query(setLatency, [gateway, ms]);
}
