import type * as contracts from '@gp/contracts';
import type { Operator, PaymentMoney, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Db, Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import { listDifferences, type DifferenceRow } from '../../db/reconciliation/reconciled-payments.ts';
import {
  beginRun,
  findRun,
  listRuns,
  type MoneyJson,
  type ReportRow,
  type RunScope,
} from '../../db/reconciliation/reconciliations.ts';
import type { LedgerParts } from '../change/change-group.ts';

type Start = typeof contracts.startReconciliation;
type Find = typeof contracts.findReconciliation;
type List = typeof contracts.listReconciliations;
type Run = ResponseOf<Start>;

/**
 * How far back payments are compared: a card holder may dispute one for 120 days, and nothing happens to it at the
 * gateway after that.
 */
const DAYS = 120;

/** Begins a comparison, or returns the one under way; stores the name of the requesting actor. */
export function startReconciliation({
  db,
  wakeReconciliation,
}: Pick<LedgerParts, 'db' | 'wakeReconciliation'>): (r: RequestOf<Start>, actor: Operator) => Promise<Run> {
  return async ({ merchant_id: merchantId, mode, psp_code: pspCode }, actor) => {
    const run = await db.transaction(async (tx) => {
      const scope = { merchantId, mode, pspCode };
      const id = await beginReconciliation(tx, scope, { requestedBy: actor.name, onlyDue: false });
      await recordAction(tx, { actor, action: 'reconcile.run', subject: id });
      return loadReport(tx, id);
    });
    wakeReconciliation();
    return run;
  };
}

/**
 * Begins a comparison as part of a transaction, of everything or of what is due; returns its id, or that of the one under
 * way.
 */
export function beginReconciliation(
  q: Queryable,
  scope: RunScope,
  o: { readonly requestedBy: string; readonly onlyDue: boolean },
): Promise<string> {
  return beginRun(q, scope, { id: uuidv7(), days: DAYS, ...o });
}

/** One report with everything that differed. */
export function findReconciliation(db: Db): (r: RequestOf<Find>) => Promise<ResponseOf<Find>> {
  return async ({ id }) => ({
    run: await loadReport(db, id),
    differences: (await listDifferences(db, id)).map(differenceView),
  });
}

/** Reports, newest first. */
export function listReconciliations(db: Db): (r: RequestOf<List>) => Promise<ResponseOf<List>> {
  return async ({ merchant_id: merchantId = null, mode = null, limit }) => ({
    runs: (await listRuns(db, { merchantId, mode, limit })).map(runView),
  });
}

async function loadReport(q: Queryable, id: string): Promise<Run> {
  const row = await findRun(q, id);
  if (!row) throw notFound('reconciliation');
  return runView(row);
}

function runView(row: ReportRow): Run {
  const { id, merchant_id, mode, psp_code, state, requested_by } = row;
  const { payments, agreed, repaired, pending, raised, unanswered } = row;
  const sums = Object.entries(row.sums).map(([currency, { expected, actual }]) => [
    currency,
    { expected: moneyView(expected), actual: moneyView(actual) },
  ]);
  return {
    ...{ id, merchant_id, mode, psp_code, state, requested_by },
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    ...{ payments, agreed, repaired, pending, raised, unanswered },
    sums: Object.fromEntries(sums) as Run['sums'],
  };
}

function differenceView(row: DifferenceRow): ResponseOf<Find>['differences'][number] {
  const { group_id, intent_id, attempt_id, currency, expected, actual, outcome } = row;
  const seen = actual && moneyView(actual);
  return { group_id, intent_id, attempt_id, currency, expected: moneyView(expected), actual: seen, outcome };
}

function moneyView({ held, captured, refunded }: MoneyJson): PaymentMoney {
  return { held_minor: held, captured_minor: captured, refunded_minor: refunded };
}
