import type { Outcome } from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { currentTraceparent } from '@gp/telemetry';
import type { AdapterCore } from '../adapter.ts';
import { closeAndSendMessage, closeCallbacks } from '../db/callbacks.ts';
import { lockPaymentCalls } from '../db/gateway-calls.ts';
import { addExternalAmount, listExternalAmounts, subtractExternalAmount } from '../db/external-amounts.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { Truth } from '../domain/payment.ts';
import type { ExternalAmounts, Finding } from '../domain/finding.ts';
import { isTooEarly, reconcile } from '../domain/reconcile.ts';
import { isAsOrdered, reportContradiction, keepContradiction, settle } from './conclude.ts';
import { buildOutcomeMessage, buildOutcome, type Subject, type OutcomeReporter } from './report.ts';

type TruthReport = {
  readonly subject: Subject;
  readonly truth: Truth;
  readonly source: 'callback' | 'query';
  /** Our rows as they were before the gateway was queried. */
  readonly before: readonly GatewayCall[];
  /** The amounts of external operations that the ledger had been sent by then. */
  readonly externalBefore: ExternalAmounts;
  /** A callback's statement about a dispute: some gateways show it nowhere else. */
  readonly disputed?: boolean | null;
  /** The ledger's own id of its query; it gets a reply even when nothing is new. */
  readonly question?: string;
  /** The callbacks that this applies, closed with it; nothing is recorded when another process has closed them. */
  readonly callbackIds?: readonly string[];
};

/**
 * Settles our rows by the gateway's truth and sends the ledger what it does not know, in one transaction.
 * Returns false when a callback has to be applied again later, because a call of ours is in hand and the truth
 * is ambiguous until it ends: nothing is recorded then.
 */
export async function applyTruth(adapter: AdapterCore, o: TruthReport): Promise<boolean> {
  if (await applyFirstHold(adapter, o)) return true;
  const before = new Map(o.before.map(({ id, state }) => [id, state]));
  const contradicted = await adapter.db.transaction(async (tx) => {
    // Locked until commit: a void of ours that ends meanwhile is reported after this and not before.
    const rows = await lockPaymentCalls(tx, o.subject.attemptId);
    if (o.source === 'callback' && isTooEarly(rows, o.truth, before)) return undefined;
    if (o.callbackIds && !(await closeCallbacks(tx, o.callbackIds, 'applied'))) return [];
    const findings = reconcile(rows, o.truth, {
      isAsked: o.question !== undefined,
      before,
      external: await listExternalAmounts(tx, o.subject.attemptId),
      externalBefore: o.externalBefore,
      // The books know how a dispute ended, whatever the order of the callbacks about it.
      disputed: o.truth.isDisputed ?? o.disputed ?? null,
    });
    const reported: Finding[] = [];
    for (const finding of findings) if (await recordFinding(tx, o.subject, finding)) reported.push(finding);
    const outcomes: Outcome[] = [];
    for (const finding of reported)
      outcomes.push(await buildFindingOutcome({ ...adapter, db: tx }, o, finding));
    await insertOutbox(
      tx,
      outcomes.map((outcome) => buildOutcomeMessage(outcome, currentTraceparent() ?? rows[0]?.traceparent)),
    );
    return keepContradictions(tx, rows, reported);
  });
  if (!contradicted) return false;
  adapter.wakeRelay();
  for (const { row, finding } of contradicted) reportContradiction(adapter, row, finding.verdict);
  return true;
}

/**
 * The usual callback in one statement: a payer has authorised a prepared payment, as was asked for, and there is nothing else
 * to know of it. Returns false when there is, or when a call of ours has begun since the gateway was queried.
 */
async function applyFirstHold(adapter: AdapterCore, o: TruthReport): Promise<boolean> {
  const { truth, before, externalBefore, callbackIds } = o;
  if (!callbackIds || !isFirstHold(o)) return false;
  const circumstances = { isAsked: false, before: new Map(), disputed: null };
  const [finding, ...more] = reconcile(before, truth, {
    ...circumstances,
    external: externalBefore,
    externalBefore,
  });
  const [origin] = before;
  if (!finding || !origin || more.length > 0 || !isAsOrdered(origin, finding.verdict)) return false;
  const outcome = await buildFindingOutcome(adapter, o, finding);
  const isApplied = await closeAndSendMessage(adapter.db, {
    callbackIds,
    attemptId: origin.attemptId,
    callIds: before.map(({ id }) => id),
    message: buildOutcomeMessage(outcome, currentTraceparent() ?? origin.traceparent),
  });
  if (isApplied) adapter.wakeRelay();
  return isApplied;
}

/** Findings of captures, refunds and disputes depend on rows that only the transaction locks: then there are none. */
function isFirstHold({ truth, before, disputed }: TruthReport): boolean {
  return (
    truth.status === 'authorised' &&
    truth.capturedMinor === 0n &&
    truth.refundedMinor === 0n &&
    truth.actions.length === 0 &&
    (truth.isDisputed ?? disputed ?? null) === null &&
    before.every(({ operation }) => operation === 'prepare')
  );
}

/** A hold's state is sent each time it is seen: the ledger ignores repeats. An operation's end is sent once. */
async function recordFinding(
  tx: Queryable,
  { attemptId }: Subject,
  { row, verdict, operation }: Finding,
): Promise<boolean> {
  if (row === null && (operation === 'capture' || operation === 'refund')) {
    const external = { attemptId, operation, amountMinor: verdict.amountMinor ?? 0n };
    await (verdict.status === 'failed'
      ? subtractExternalAmount(tx, external)
      : addExternalAmount(tx, external));
  }
  const isSettled = row === null || (await settle(tx, row, verdict));
  return isSettled || operation === 'authorise';
}

async function keepContradictions(
  tx: Queryable,
  rows: readonly GatewayCall[],
  findings: readonly Finding[],
): Promise<{ row: GatewayCall; finding: Finding }[]> {
  const origin = rows.find(({ operation }) => operation === 'authorise' || operation === 'prepare');
  const finding = findings.find(({ operation }) => operation === 'authorise');
  if (!origin || !finding) return [];
  return (await keepContradiction(tx, origin, finding.verdict)) ? [{ row: origin, finding }] : [];
}

function buildFindingOutcome(
  adapter: OutcomeReporter,
  o: TruthReport,
  { operation, row, verdict }: Finding,
): Promise<Outcome> {
  const isOurs = row !== null && verdict.trigger !== 'reverse';
  const isHold = operation === 'authorise';
  const operationId = isHold ? (o.question ?? row?.operationId ?? o.subject.attemptId) : null;
  return buildOutcome(adapter, {
    subject: { ...o.subject, pspReference: o.truth.pspReference },
    operation,
    operationId: isOurs && !isHold ? row.operationId : operationId,
    source: isOurs || isHold ? o.source : 'external',
    verdict,
  });
}
