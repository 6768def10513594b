import { encodePaymentIds, type Outcome } from '@gp/contracts';
import { insertOutbox, type OutboxMessage } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { currentTraceparent, metrics } from '@gp/telemetry';
import type { AdapterCore } from '../adapter.ts';
import { settleAndSendMessage, settleGatewayCall } from '../db/gateway-calls.ts';
import { insertContradiction } from '../db/quarantine.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { CallResult } from '../domain/call-result.ts';
import type { EffectOperation } from '../domain/payment.ts';
import { between } from '../fail-points.ts';
import { buildOutcomeMessage, buildOutcome } from './report.ts';

const contradictions = metrics.counter({
  name: 'gp_gateway_contradictions_total',
  help: 'Holds of another amount or currency than was asked for',
  unit: 'payments',
  labels: ['psp_code'],
});

/**
 * Records the result of a call and sends it to the ledger, in one transaction. Returns undefined when the row
 * was settled meanwhile, by a callback for example, which sent the ledger its result.
 */
export async function conclude(
  adapter: AdapterCore,
  row: GatewayCall,
  verdict: CallResult,
  source: Outcome['source'],
): Promise<Outcome | undefined> {
  const { operation } = row;
  if (operation === 'prepare') throw new Error('the ledger receives no outcome of a preparation');
  const outcome = await buildOutcome(adapter, {
    subject: row,
    operation,
    operationId: row.operationId,
    source,
    verdict,
  });
  const message = buildOutcomeMessage(outcome, currentTraceparent() ?? row.traceparent);
  const settled = await between(adapter.psp, `${operation}-settle`, () =>
    isAsOrdered(row, verdict)
      ? settleAndSend(adapter.db, row, verdict, message)
      : adapter.db.transaction(async (tx) => {
          if (!(await settle(tx, row, verdict))) return undefined;
          await insertOutbox(tx, [message]);
          return { isContradiction: await keepContradiction(tx, row, verdict) };
        }),
  );
  if (!settled) return undefined;
  adapter.wakeRelay();
  logResult(adapter, row, verdict);
  if (settled.isContradiction) reportContradiction(adapter, row, verdict);
  return outcome;
}

/** The usual result in one statement; see `conclude`. */
async function settleAndSend(
  db: Queryable,
  row: GatewayCall,
  verdict: CallResult,
  message: OutboxMessage,
): Promise<{ isContradiction: false } | undefined> {
  const { trigger, pspReference, amountMinor: resultMinor, failure } = verdict;
  const settlement = { pspReference, resultMinor, failure, message };
  if (trigger === null) await insertOutbox(db, [message]);
  else if (!(await settleAndSendMessage(db, row.id, { trigger, ...settlement }))) return undefined;
  return { isContradiction: false };
}

/** Sends the ledger the result of a row once more, under a new id. */
export async function sendAgain(
  adapter: AdapterCore,
  row: GatewayCall & { readonly operation: EffectOperation },
  verdict: CallResult,
): Promise<void> {
  const { operation, operationId } = row;
  const outcome = await buildOutcome(adapter, {
    subject: row,
    operation,
    operationId,
    source: 'query',
    verdict,
  });
  await insertOutbox(adapter.db, [buildOutcomeMessage(outcome, currentTraceparent() ?? row.traceparent)]);
  adapter.wakeRelay();
  const fields = { ...buildLogFields(adapter, row), outcome: verdict.status };
  adapter.log.warn(fields, 'the ledger asked for a result that it had been sent; sent again');
}

/** Starts the counter of this gateway's contradictions at 0. */
export function measureContradictions(psp: string): void {
  contradictions.inc({ psp_code: psp }, 0);
}

/**
 * Moves the row; returns false when this result no longer counts. An undecided result leaves the row unchanged.
 */
export async function settle(tx: Queryable, row: GatewayCall, verdict: CallResult): Promise<boolean> {
  const { trigger, pspReference, amountMinor: resultMinor, failure } = verdict;
  return trigger === null || settleGatewayCall(tx, row.id, { trigger, pspReference, resultMinor, failure });
}

/**
 * Stores a hold that differs from the request; returns true when it was not stored before. The ledger gets the
 * true amount and voids it.
 */
export async function keepContradiction(
  tx: Queryable,
  row: GatewayCall,
  verdict: CallResult,
): Promise<boolean> {
  if (isAsOrdered(row, verdict) || verdict.amountMinor === null) return false;
  const actualCurrency = verdict.currency ?? row.currency;
  const pspReference = verdict.pspReference ?? row.pspReference ?? '';
  return insertContradiction(tx, { row, pspReference, actualMinor: verdict.amountMinor, actualCurrency });
}

/** Returns whether no hold differs from the request in amount or currency. */
export function isAsOrdered(row: GatewayCall, { status, amountMinor, currency }: CallResult): boolean {
  if (status !== 'authorised' || amountMinor === null) return true;
  return amountMinor === row.amountMinor && (currency ?? row.currency) === row.currency;
}

export function reportContradiction(adapter: AdapterCore, row: GatewayCall, verdict: CallResult): void {
  contradictions.inc({ psp_code: adapter.psp });
  adapter.log.error(
    { ...buildLogFields(adapter, row), psp_reference: verdict.pspReference ?? row.pspReference },
    'the gateway holds another amount than was asked for; quarantined',
  );
}

function logResult(
  adapter: AdapterCore,
  row: GatewayCall,
  { status, failure, pspReference }: CallResult,
): void {
  const fields = {
    ...buildLogFields(adapter, row),
    psp_reference: pspReference ?? row.pspReference,
    outcome: status,
    ...(failure && { code: failure.code }),
  };
  const isDoubtful = status === 'unknown' || status === 'retryable';
  adapter.log[isDoubtful ? 'warn' : 'info'](fields, `${row.operation}: ${status}`);
}

export function buildLogFields(adapter: AdapterCore, row: GatewayCall) {
  return { psp_code: adapter.psp, ...encodePaymentIds(row), operation: row.operation };
}
