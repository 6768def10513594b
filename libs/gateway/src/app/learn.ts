import type { Outcome } from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { currentTraceparent } from '@gp/telemetry';
import type { AdapterCore } from '../adapter.ts';
import { lockAttemptsOfPayment } from '../db/gateway-calls.ts';
import { addMirrored, listMirrored, takeMirrored } from '../db/mirrored.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { Truth } from '../domain/payment.ts';
import { isTooEarly, reconcile, type Finding, type Mirrored } from '../domain/reconcile.ts';
import { alarm, keepContradiction, settle } from './conclude.ts';
import { messageOf, outcomeOf, type Subject, type Teller } from './report.ts';

type Learning = {
  readonly subject: Subject;
  readonly truth: Truth;
  readonly source: 'callback' | 'query';
  /** Our rows as they were before the gateway was queried. */
  readonly before: readonly GatewayCall[];
  /** The amounts of external operations that the ledger had been sent by then. */
  readonly mirroredBefore: Mirrored;
  /** A callback's statement about a dispute: some gateways show it nowhere else. */
  readonly disputed?: boolean | null;
  /** The ledger's own id of its query; it gets a reply even when nothing is new. */
  readonly question?: string;
  /** Further writes of the same transaction; nothing is recorded when it returns false. */
  readonly together?: (tx: Queryable) => Promise<boolean>;
};

/**
 * Settles our rows by the gateway's truth and sends the ledger what it does not know, in one transaction.
 * Returns false when a callback has to be applied again later, because a call of ours is in hand and the truth
 * is ambiguous until it ends: nothing is recorded then.
 */
export async function learn(adapter: AdapterCore, o: Learning): Promise<boolean> {
  const before = new Map(o.before.map(({ id, state }) => [id, state]));
  const contradicted = await adapter.db.transaction(async (tx) => {
    // Locked until commit: a void of ours that ends meanwhile is reported after this and not before.
    const rows = await lockAttemptsOfPayment(tx, o.subject.attemptId);
    if (o.source === 'callback' && isTooEarly(rows, o.truth, before)) return undefined;
    if ((await o.together?.(tx)) === false) return [];
    const findings = reconcile(rows, o.truth, {
      isAsked: o.question !== undefined,
      before,
      mirrored: await listMirrored(tx, o.subject.attemptId),
      mirroredBefore: o.mirroredBefore,
      disputed: o.disputed ?? (o.truth.isDisputed || null),
    });
    const news: Finding[] = [];
    for (const finding of findings) if (await isNews(tx, o.subject, finding)) news.push(finding);
    const outcomes: Outcome[] = [];
    for (const finding of news) outcomes.push(await outcomeOfFinding({ ...adapter, db: tx }, o, finding));
    await insertOutbox(
      tx,
      outcomes.map((outcome) => messageOf(outcome, currentTraceparent() ?? rows[0]?.traceparent)),
    );
    return keepContradictions(tx, rows, news);
  });
  if (!contradicted) return false;
  adapter.wakeRelay();
  for (const { row, finding } of contradicted) alarm(adapter, row, finding.verdict);
  return true;
}

/** A hold's state is sent each time it is seen: the ledger ignores repeats. An operation's end is sent once. */
async function isNews(
  tx: Queryable,
  { attemptId }: Subject,
  { row, verdict, operation }: Finding,
): Promise<boolean> {
  if (row === null && (operation === 'capture' || operation === 'refund')) {
    const told = { attemptId, operation, amountMinor: verdict.amountMinor ?? 0n };
    await (verdict.status === 'failed' ? takeMirrored(tx, told) : addMirrored(tx, told));
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

function outcomeOfFinding(
  adapter: Teller,
  o: Learning,
  { operation, row, verdict }: Finding,
): Promise<Outcome> {
  const isOurs = row !== null && verdict.trigger !== 'reverse';
  const isHold = operation === 'authorise';
  const operationId = isHold ? (o.question ?? row?.operationId ?? o.subject.attemptId) : null;
  return outcomeOf(adapter, {
    subject: { ...o.subject, pspReference: o.truth.pspReference },
    operation,
    operationId: isOurs && !isHold ? row.operationId : operationId,
    source: isOurs || isHold ? o.source : 'external',
    verdict,
  });
}
